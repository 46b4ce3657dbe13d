/** Upper bound for the counts of the sources and the readers of a file; it means "this many or more". */
export const LARGEST_COUNT = 100;
