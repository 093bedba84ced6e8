/** One field of a schedule: which numbers it takes, and which words stand for them. */
interface CronField {
  readonly name: string;
  readonly low: number;
  readonly high: number;
  readonly words?: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const fields: readonly CronField[] = [
  { name: 'minute', low: 0, high: 59 },
  { name: 'hour', low: 0, high: 23 },
  { name: 'day of month', low: 1, high: 31 },
  { name: 'month', low: 1, high: 12, words: months },
  { name: 'day of week', low: 0, high: 6, words: weekdays },
];

const shorthands = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];
const durationPattern = /^[-+]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/;

/** Whether the schedule names its time zone itself: an old way that still works. */
export const namesTimeZone = (schedule: string) => schedule.includes('TZ');

/**
 * What is wrong with a schedule in cron form (minute, hour, day of month, month, day of week), empty when nothing is.
 * A shorthand (`@hourly`, `@every 90m`) may stand instead, and `TZ=zone ` in front of either.
 */
export function scheduleProblem(schedule: string): string {
  const zone = /^(?:CRON_)?TZ=(\S*) /.exec(schedule);
  const rest = zone ? schedule.slice(zone[0].length).trim() : schedule;
  if (/^(?:CRON_)?TZ=/.test(schedule) && !zone) return 'a schedule must follow the time zone';
  if (zone && !isZoneOfSchedule(zone[1] ?? '')) return `unknown time zone ${zone[1]}`;
  if (rest.startsWith('@')) return shorthandProblem(rest);
  const parts = rest.split(/\s+/).filter(Boolean);
  if (parts.length !== fields.length) return `must have ${fields.length} fields, found ${parts.length}`;
  for (const [position, field] of fields.entries()) {
    const problem = fieldProblem(parts[position] ?? '', field);
    if (problem) return `${field.name}: ${problem}`;
  }
  return '';
}

/** In front of a schedule, unlike in a field of its own, no name is UTC, and the zone may be that of the server. */
const isZoneOfSchedule = (name: string) => name === '' || name === 'Local' || isTimeZone(name);

function shorthandProblem(text: string): string {
  const every = '@every ';
  if (text.startsWith(every)) {
    const duration = text.slice(every.length);
    return duration === '0' || durationPattern.test(duration) ? '' : `${JSON.stringify(duration)} is not a duration`;
  }
  return shorthands.includes(text) ? '' : `${JSON.stringify(text)} is not known`;
}

function fieldProblem(text: string, field: CronField): string {
  for (const range of text.split(',')) {
    const problem = range ? rangeProblem(range, field) : '';
    if (problem) return problem;
  }
  return '';
}

/** `*`, `n` or `n-m`, with `/step` or without. */
function rangeProblem(range: string, field: CronField): string {
  const [span = '', step, ...tooMany] = range.split('/', 3);
  const [from = '', to, ...more] = span.split('-', 3);
  if (tooMany.length > 0) return `${JSON.stringify(range)} is not a range`;
  if (step !== undefined && !(numberOf(step) > 0)) return `the step of ${JSON.stringify(range)} must be positive`;
  // What follows an asterisk is not looked at.
  if (from === '*' || from === '?') return '';
  if (more.length > 0) return `${JSON.stringify(range)} is not a range`;
  const low = numberFor(from, field);
  const high = to === undefined ? low : numberFor(to, field);
  if (Number.isNaN(low) || Number.isNaN(high)) return `${JSON.stringify(range)} is not a range`;
  if (low < field.low || high > field.high) return `${JSON.stringify(range)} is outside ${field.low}-${field.high}`;
  return low > high ? `${JSON.stringify(range)} ends before it begins` : '';
}

const numberOf = (text: string) => (/^\+?\d{1,9}$/.test(text) ? Number(text) : Number.NaN);

function numberFor(text: string, { low, words }: CronField): number {
  const word = words?.indexOf(text.toLowerCase()) ?? -1;
  return word < 0 ? numberOf(text) : word + low;
}

/** Names of the zone database begin each part with a capital; offsets such as `+01:00` are none of them. */
const zonePattern = /^[A-Z][A-Za-z0-9+_-]*(?:\/[A-Z][A-Za-z0-9+_-]*)*$/;

/** Whether the name is one of the IANA time zone database. */
export function isTimeZone(name: string): boolean {
  if (!zonePattern.test(name) || name.length > 64) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    // It is found in any case; where it has no other name, that is told in the right one.
    return timeZone === name || timeZone.toLowerCase() !== name.toLowerCase();
  } catch {
    return false;
  }
}
