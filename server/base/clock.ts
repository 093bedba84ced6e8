/** Time as an argument, so that tests need not sleep. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** RFC 3339 in UTC with whole seconds, the form of every `Time` field. */
export const formatTime = (milliseconds: number) => `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;

/** RFC 3339 in UTC with six fraction digits, the form of every `MicroTime` field. */
export const formatMicroTime = (milliseconds: number) => `${new Date(milliseconds).toISOString().slice(0, 23)}000Z`;
