/** Time as an argument, so that tests need not sleep. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: Date.now };

let lastSecond = Number.NaN;
let lastText = '';

/** RFC 3339 in UTC with whole seconds, the form of every `Time` field. Each write asks for the present one. */
export function formatTime(milliseconds: number): string {
  const second = Math.floor(milliseconds / 1000);
  if (second !== lastSecond) {
    lastText = `${new Date(second * 1000).toISOString().slice(0, 19)}Z`;
    lastSecond = second;
  }
  return lastText;
}

/** RFC 3339 in UTC with six fraction digits, the form of every `MicroTime` field. */
export const formatMicroTime = (milliseconds: number) => `${new Date(milliseconds).toISOString().slice(0, 23)}000Z`;
