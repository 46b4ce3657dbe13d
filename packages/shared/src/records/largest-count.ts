/** Counts of what a file was made from and what has read it end here: it stands for "this many or more". */
export const LARGEST_COUNT = 100;
