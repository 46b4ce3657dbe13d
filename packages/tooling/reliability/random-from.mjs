/** Numbers from 0 to 1 that are the same for the same seed (a linear congruential generator modulo 2^32). */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
