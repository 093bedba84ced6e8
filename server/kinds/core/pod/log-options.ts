import { type FieldError, forbiddenField, invalidValue } from '../../../base/field-error.ts';
import { isInteger } from '../../../base/json-value.ts';
import { badRequest, invalid } from '../../../base/status-error.ts';

/** The value of a parameter; undefined where it is not given. */
type Asked = (name: string) => string | undefined;

const flags = ['follow', 'previous', 'timestamps'] as const;

/** Numbers, and the least that each may be, in the order in which faults are told. */
const numbers = { tailLines: 0, limitBytes: 1, sinceSeconds: 1 } as const;

const subject = { group: '', resource: 'PodLogOptions' };

/**
 * Which part of a log is asked for (PodLogOptions), as the agent of a node is asked for it.
 * @throws 400 for what is no number or time, 422 for numbers that are too small or two beginnings
 */
export function readLogOptions(name: string, asked: Asked): readonly (readonly [string, string])[] {
  const read = Object.keys(numbers).flatMap((field) => {
    const text = asked(field);
    return text === undefined ? [] : [[field as keyof typeof numbers, integer(text)] as const];
  });
  const sinceTime = timeOf(asked('sinceTime'));
  const twoBeginnings = Boolean(sinceTime) && read.some(([field]) => field === 'sinceSeconds');
  const errors: FieldError[] = read.flatMap(([field, number]) =>
    number >= numbers[field] || (twoBeginnings && field === 'sinceSeconds')
      ? []
      : [invalidValue(field, number, tooSmall(numbers[field]))],
  );
  if (twoBeginnings) errors.push(forbiddenField('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  if (errors.length > 0) throw invalid(subject, name, errors);
  return [
    ...flags.filter((flag) => isSet(asked(flag))).map((flag) => [flag, 'true'] as const),
    ...read.map(([field, number]) => [field, String(number)] as const),
    ...(sinceTime ? [['sinceTime', sinceTime] as const] : []),
  ];
}

const tooSmall = (least: number): string =>
  least === 0 ? 'must be greater than or equal to 0' : 'must be greater than 0';

const isSet = (value: string | undefined): boolean =>
  value !== undefined && value !== '0' && value.toLowerCase() !== 'false';

/** Beyond 2^53 digits are lost, of what counts lines and bytes that nobody has. */
function integer(text: string): number {
  const parsing = `strconv.ParseInt: parsing ${JSON.stringify(text)}`;
  if (!/^[+-]?\d{1,100}$/.test(text)) throw badRequest(`${parsing}: invalid syntax`);
  const number = BigInt(text);
  if (!isInteger(number)) throw badRequest(`${parsing}: value out of range`);
  return Number(number);
}

const time = /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d([.,]\d+)?(Z|[+-]\d\d:\d\d)$/;

function timeOf(text: string | undefined): string | undefined {
  if (!text) return undefined;
  if (!time.test(text) || Number.isNaN(Date.parse(text)))
    throw badRequest(`parsing time ${JSON.stringify(text)}: it must look like 2006-01-02T15:04:05Z`);
  return text;
}
