/** Steps before which nothing is said: the first ones may be unlike the others. */
const enough = 10;

/** `, about 2 min left` for work of which so much was done in so many milliseconds; empty while too little is known. */
export function timeLeft(done: number, total: number, milliseconds: number): string {
  if (done < enough || done >= total) return '';
  return `, about ${spoken((milliseconds / done) * (total - done))} left`;
}

/** A time for people: `40 s`, `3 min`, `2 h 10 min`. */
export function spoken(milliseconds: number): string {
  const seconds = Math.max(1, Math.round(milliseconds / 1_000));
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
