import { duplicate, type FieldError, forbiddenField, invalidValue, required } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { qualifiedName } from '../../base/names.ts';
import { parseQuantity } from '../../base/quantity.ts';
import { emptyListsAreNull } from '../empty-lists.ts';
import { eachOf } from '../field-rules.ts';
import { compareAmounts } from '../quantity-text.ts';
import { defineKind } from '../strategy.ts';
import type { Quantities } from './pod/shape.ts';
import { limitRangeResourceName, overcommits } from './resource-names.ts';

export interface LimitRangeItem {
  type?: string;
  max?: Quantities;
  min?: Quantities;
  default?: Quantities;
  defaultRequest?: Quantities;
  maxLimitRequestRatio?: Quantities;
}

export interface LimitRange extends KubeObject {
  spec?: { limits?: LimitRangeItem[] | null };
}

const types = new Set(['Pod', 'Container', 'PersistentVolumeClaim']);

/** Limits of containers fill each other: default from max, defaultRequest from default, else from min. */
function defaultItem(item: LimitRangeItem): void {
  if (item.type !== 'Container') return;
  const limits = { ...item.max, ...item.default };
  const requests = { ...item.min, ...limits, ...item.defaultRequest };
  if (Object.keys(limits).length > 0) item.default = limits;
  if (Object.keys(requests).length > 0) item.defaultRequest = requests;
}

const typeForm = (type: string | undefined, at: FieldPath): FieldError[] => {
  const problems = qualifiedName(type ?? '').map((problem) => invalidValue(at, type ?? '', problem));
  if (problems.length > 0) return problems;
  return type?.includes('/') || types.has(type ?? '')
    ? []
    : [invalidValue(at, type, 'must be a standard limit type or fully qualified')];
};

type Bound = 'min' | 'max' | 'default' | 'defaultRequest';

/** Which bound may not be above which; the error is told of `at`. */
const orders: readonly { low: Bound; high: Bound; at: Bound; words: [string, string] }[] = [
  { low: 'min', high: 'max', at: 'min', words: ['min', 'max'] },
  { low: 'min', high: 'defaultRequest', at: 'defaultRequest', words: ['min', 'default request'] },
  { low: 'defaultRequest', high: 'max', at: 'defaultRequest', words: ['default request', 'max'] },
  { low: 'defaultRequest', high: 'default', at: 'defaultRequest', words: ['default request', 'default limit'] },
  { low: 'min', high: 'default', at: 'default', words: ['min', 'default'] },
  { low: 'default', high: 'max', at: 'default', words: ['default', 'max'] },
];

const amount = (item: LimitRangeItem, bound: Bound | 'maxLimitRequestRatio', name: string) => {
  const amounts = counts(item, bound) ? item[bound] : undefined;
  return amounts && Object.hasOwn(amounts, name) ? amounts[name] : undefined;
};

function boundsOf(item: LimitRangeItem, name: string, at: FieldPath): FieldError[] {
  const errors = orders.flatMap(({ low, high, at: field, words }) => {
    const [less, more] = [amount(item, low, name), amount(item, high, name)];
    return less !== undefined && more !== undefined && compareAmounts(less, more) > 0
      ? [
          invalidValue(
            at.child(field).key(name),
            amount(item, field, name),
            `${words[0]} value ${less} is greater than ${words[1]} value ${more}`,
          ),
        ]
      : [];
  });
  const [request, limit] = [amount(item, 'defaultRequest', name), amount(item, 'default', name)];
  if (!overcommits(name) && request !== undefined && limit !== undefined && compareAmounts(request, limit) !== 0)
    errors.push(invalidValue(at.child('defaultRequest').key(name), request, `must equal the default limit ${limit}`));
  return [...errors, ...ratioOf(item, name, at.child('maxLimitRequestRatio').key(name))];
}

const milli = 1_000_000n;
const mostMilli = (2n ** 63n - 1n) / 1000n;

/**
 * In thousandths where all are small enough, else in whole numbers, each of 64 bits: what does not fit becomes something
 * else, and may look small thereby. The ratio is given as such.
 */
function wholeParts(min: string, max: string, ratio: string): [low: number, high: number, asked: number] {
  const nanos = [min, max, ratio].map((text) => parseQuantity(text)?.nanos ?? 0n);
  const up = (amount: bigint, unit: bigint) => BigInt.asIntN(64, (amount + (amount > 0n ? unit - 1n : 0n)) / unit);
  const fine = nanos.every((amount) => up(amount, 1000n * milli) < mostMilli);
  const parts = nanos.map((amount) => Number(up(amount, fine ? milli : 1000n * milli)));
  const [low = 0, high = 0, asked = 0] = parts;
  return [low, high, fine ? asked / 1000 : asked];
}

function ratioOf(item: LimitRangeItem, name: string, at: FieldPath): FieldError[] {
  const ratio = amount(item, 'maxLimitRequestRatio', name);
  if (ratio === undefined) return [];
  const errors = compareAmounts(ratio, '1') < 0 ? [invalidValue(at, ratio, `ratio ${ratio} is less than 1`)] : [];
  const [min, max] = [amount(item, 'min', name), amount(item, 'max', name)];
  if (min === undefined || max === undefined) return errors;
  const [low, high, asked] = wholeParts(min, max, ratio);
  if (asked > high / low)
    errors.push(invalidValue(at, ratio, `ratio ${ratio} is greater than max/min = ${(high / low).toFixed(6)}`));
  return errors;
}

/** Pods have no defaults: what is said of them is refused as a whole. */
const counts = ({ type }: LimitRangeItem, bound: string) => type !== 'Pod' || !bound.startsWith('default');

const bounds = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;

/** What a default or a ratio says of claims does not count. */
const boundsClaim = ({ min, max }: LimitRangeItem) =>
  [min, max].some((amounts) => amounts && Object.hasOwn(amounts, 'storage'));

function validateItem(item: LimitRangeItem, at: FieldPath): FieldError[] {
  const { type = '' } = item;
  const errors: FieldError[] = [];
  const checked = bounds.filter((bound) => counts(item, bound));
  const names = new Set<string>();
  if (type === 'Pod')
    for (const bound of ['default', 'defaultRequest'] as const)
      if (Object.keys(item[bound] ?? {}).length > 0)
        errors.push(forbiddenField(at.child(bound), "may not be specified when `type` is 'Pod'"));
  for (const bound of checked)
    for (const name of Object.keys(item[bound] ?? {})) {
      names.add(name);
      errors.push(...limitRangeResourceName(name, type, at.child(bound).key(name)));
    }
  if (type === 'PersistentVolumeClaim' && !boundsClaim(item))
    errors.push(required(at.child('limits'), 'either minimum or maximum storage value is required'));
  return [...errors, ...[...names].flatMap((name) => boundsOf(item, name, at))];
}

export const limitRange = defineKind<LimitRange>({
  group: '',
  version: 'v1',
  kind: 'LimitRange',
  resource: 'limitranges',
  createOnUpdate: true,
  default({ spec }) {
    for (const item of spec?.limits ?? []) defaultItem(item);
  },
  withEmptyLists: ({ spec }) => emptyListsAreNull(spec, ['limits']),
  prepareCreate(range, { ids }) {
    // It has no need of a name: one that is not given is made up.
    range.metadata.name ||= ids.uid();
  },
  validate({ spec }) {
    const seen = new Set<string>();
    return eachOf(spec?.limits, FieldPath.of('spec', 'limits'), (item, at) => {
      const type = item.type ?? '';
      const twice = seen.has(type) ? [duplicate(at.child('type'), type)] : [];
      seen.add(type);
      return [...typeForm(item.type, at.child('type')), ...twice, ...validateItem(item, at)];
    });
  },
});
