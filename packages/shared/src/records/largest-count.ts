/** Upper bound for the counts of what a file was made from and what has read it; it means "this many or more". */
export const LARGEST_COUNT = 100;
