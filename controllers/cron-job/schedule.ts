import { wallClock } from './wall-clock.ts';

/** When something is due. Times are milliseconds since the epoch. */
export interface Schedule {
  /** The first time after this one; undefined when there is none within five years. */
  next(after: number): number | undefined;
  /** The last time after `earliest` and up to `now`; undefined when there is none. */
  last(earliest: number, now: number): number | undefined;
}

/** Which values of a field are due, and whether it says any (`*`), which leaves the choice to the other day field. */
interface Field {
  readonly values: ReadonlySet<number>;
  readonly any: boolean;
}

const minute = 60_000;
const searchFor = 5 * 366 * 24 * 60 * minute;

const shorthands: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

const ranges: readonly { readonly low: number; readonly high: number; readonly words?: string }[] = [
  { low: 0, high: 59 },
  { low: 0, high: 23 },
  { low: 1, high: 31 },
  { low: 1, high: 12, words: 'jan feb mar apr may jun jul aug sep oct nov dec' },
  { low: 0, high: 6, words: 'sun mon tue wed thu fri sat' },
];

/**
 * Reads a schedule in cron form, a shorthand, or `@every 1h30m`, each with `TZ=zone ` in front or not.
 * @param zone where no zone stands in front; UTC when it is missing
 * @throws Error when it makes no sense
 */
export function parseSchedule(text: string, zone = 'UTC'): Schedule {
  const [, own, rest = ''] = /^(?:(?:CRON_)?TZ=(\S+)\s+)?(.*)$/s.exec(text.trim()) ?? [];
  const every = /^@every\s+(\S+)$/.exec(rest)?.[1];
  if (every !== undefined) return everySoOften(every);
  const parts = (shorthands[rest] ?? rest).split(/\s+/);
  if (parts.length !== ranges.length) throw new Error(`the schedule ${JSON.stringify(text)} has not five fields`);
  const fields = parts.map((part, index) => parseField(part, index));
  return atTimes(fields as [Field, Field, Field, Field, Field], own ?? zone);
}

function parseField(text: string, index: number): Field {
  const { low, high, words = '' } = ranges[index] ?? { low: 0, high: 0 };
  const names = words.split(' ');
  const number = (part: string): number => {
    const named = part ? names.indexOf(part.toLowerCase()) : -1;
    const value = named >= 0 ? named + low : /^\d{1,2}$/.test(part) ? Number(part) : Number.NaN;
    if (!(value >= low && value <= high)) throw new Error(`${JSON.stringify(part)} is not between ${low} and ${high}`);
    return value;
  };
  const values = new Set<number>();
  let any = false;
  for (const range of text.split(',')) {
    const [span = '', step] = range.split('/');
    const all = span === '*' || span === '?';
    const [from = '', to] = span.split('-');
    const first = all ? low : number(from);
    const last = to !== undefined ? number(to) : all || step !== undefined ? high : first;
    const by = step === undefined ? 1 : Number(step);
    if (!(Number.isInteger(by) && by > 0) || first > last) throw new Error(`${JSON.stringify(range)} is no range`);
    for (let value = first; value <= last; value += by) values.add(value);
    any ||= all && by === 1;
  }
  return { values, any };
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: minute, h: 60 * minute };

/** Counted from the time asked about, in whole seconds and never less than one. */
function everySoOften(text: string): Schedule {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/.test(text)) throw new Error(`${JSON.stringify(text)} is not a duration`);
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  const total = parts.reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (units[unit] ?? 0), 0);
  const period = Math.max(1, Math.floor(total / 1_000)) * 1_000;
  return {
    next: (after) => after + period,
    last(earliest, now) {
      const times = Math.floor((now - earliest) / period);
      return times > 0 ? earliest + times * period : undefined;
    },
  };
}

function atTimes(
  [minutes, hours, days, months, weekdays]: [Field, Field, Field, Field, Field],
  zone: string,
): Schedule {
  const read = wallClock(zone);
  const dayFits = (day: number, weekday: number) => {
    const [inMonth, inWeek] = [days.values.has(day), weekdays.values.has(weekday)];
    // Where both are given either will do.
    return days.any || weekdays.any ? inMonth && inWeek : inMonth || inWeek;
  };
  const next = (after: number, end = after + searchFor): number | undefined => {
    for (let time = (Math.floor(after / minute) + 1) * minute; time <= end; ) {
      const now = read(time);
      if (!months.values.has(now.month) || !dayFits(now.day, now.weekday)) {
        time += untilLate(now.hour, now.minute);
      } else if (!hours.values.has(now.hour)) {
        time += (60 - now.minute) * minute;
      } else {
        const wait = waitInHour(minutes.values, now.minute);
        if (wait === 0) return time;
        time += wait * minute;
      }
    }
    return undefined;
  };
  return { next: (after) => next(after), last: (earliest, now) => lastBefore(next, earliest, now) };
}

/** On to nine in the evening, and from there by hours: no change of the clocks skips over midnight that way. */
const untilLate = (hour: number, past: number): number => (hour < 21 ? (21 - hour) * 60 - past : 60 - past) * minute;

/** Minutes until the next one that is due, or until the hour is over. */
function waitInHour(due: ReadonlySet<number>, now: number): number {
  for (let value = now; value < 60; value += 1) if (due.has(value)) return value - now;
  return 60 - now;
}

/** Looks back twice as far each time, so that years of missed times cost little. */
function lastBefore(
  next: (after: number, end: number) => number | undefined,
  earliest: number,
  now: number,
): number | undefined {
  for (let span = minute; ; span *= 2) {
    const from = Math.max(earliest, now - span);
    let found: number | undefined;
    for (let time = next(from, now); time !== undefined; time = next(time, now)) found = time;
    if (found !== undefined || from === earliest) return found;
  }
}
