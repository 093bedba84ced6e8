/** What a clock on the wall of some place shows. */
export interface WallTime {
  /** From 1. */
  readonly month: number;
  readonly day: number;
  /** From 0, which is Sunday. */
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** Reads times as they are in a zone of the IANA database. @throws RangeError for a zone that is not there */
export function wallClock(zone: string): (time: number) => WallTime {
  if (zone === 'UTC') return inUtc;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    month: 'numeric',
    day: 'numeric',
    weekday: 'short',
    hour: 'numeric',
    minute: 'numeric',
  });
  return (time) => {
    const parts = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]));
    return {
      month: Number(parts['month']),
      day: Number(parts['day']),
      weekday: weekdays.indexOf(parts['weekday'] ?? ''),
      hour: Number(parts['hour']),
      minute: Number(parts['minute']),
    };
  };
}

const inUtc = (time: number): WallTime => {
  const date = new Date(time);
  return {
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
  };
};
