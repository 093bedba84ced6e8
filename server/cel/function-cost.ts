import type { Extent } from './extent.ts';
import type { Signature } from './signatures.ts';
import type { CelType } from './type.ts';
import { resolve } from './type.ts';

/** A part of an expression whose size is estimated. */
export interface Sized {
  readonly type: CelType;
  /** What part of the schema it stands for, if any. */
  readonly extent: Extent | undefined;
  /** Undefined: it is not known. */
  readonly known: number | undefined;
  /** `known`; or 1 for what has no size, such as a number, and else infinite. */
  readonly size: number;
}

export interface Call {
  readonly name: string;
  readonly method: boolean;
  /** The receiver of a method first. */
  readonly parts: readonly Sized[];
  /** The forms that the arguments fit. */
  readonly forms: readonly Signature[];
}

export interface CallCost {
  /** At most, without that of the arguments. */
  readonly cost: number;
  /** Of the result; undefined: it is not known. */
  readonly size?: number;
}

type Estimate = (parts: readonly Sized[], form: Signature) => CallCost;

const tenth = 0.1;
const sizeOf = (part: Sized | undefined) => part?.size ?? 0;
const knownSizeOf = (part: Sized | undefined) => part?.known ?? Number.POSITIVE_INFINITY;
/** Nothing times anything is nothing, also without a limit. */
const times = (one: number, other: number) => (one === 0 || other === 0 ? 0 : one * other);
/** Reading so many bytes, or a part of them. */
const reading = (size: number, share = tenth) => Math.ceil(size * share);
const one: CallCost = { cost: 1 };

const isText = (type: CelType | undefined) => {
  const is = type && resolve(type).is;
  return is === 'string' || is === 'bytes';
};

const add: Estimate = ([left, right], { parameters: [first] }) => {
  const size = sizeOf(left) + sizeOf(right);
  if (isText(first)) return { cost: reading(size), size };
  return first?.is === 'list' ? { cost: 1, size } : one;
};

const equal: Estimate = ([left, right]) => ({ cost: reading(Math.min(sizeOf(left), sizeOf(right))) });
const order: Estimate = (parts, form) => (isText(form.parameters[0]) ? equal(parts, form) : one);

const contains: Estimate = ([text, wanted]) => ({ cost: times(reading(sizeOf(text)), reading(sizeOf(wanted))) });

/** A pattern is taken to have one part for each four characters; each is tried at each place of the text. */
const matching =
  (size: (part: Sized | undefined) => number): Estimate =>
  ([text, pattern]) => ({ cost: times(reading(size(text) + 1), reading(size(pattern), 0.25)) });

const readReceiver =
  (share = tenth): Estimate =>
  ([text]) => ({ cost: reading(knownSizeOf(text), share) });

/** Goes over a list once, and over the texts in it. */
const overList: Estimate = ([list]) => {
  if (list?.type.is !== 'list') return { cost: reading(knownSizeOf(list)) };
  const each = isText(list.type.items) ? 1 + reading(list.extent?.items?.size ?? Number.POSITIVE_INFINITY) : 1;
  return { cost: times(knownSizeOf(list), each) };
};

/** Between items stands a separator. A list of unknown type is taken to hold nothing but separators. */
const join: Estimate = ([list, separator]) => {
  const count = knownSizeOf(list);
  const each = list?.type.is === 'list' ? (list.extent?.items?.size ?? Number.POSITIVE_INFINITY) : 0;
  const between = separator ? knownSizeOf(separator) : 0;
  return { cost: reading(times(count, each) + times(Math.max(0, count - 1), between)) };
};

const junction: Estimate = () => ({ cost: 0 });
const condition: Estimate = ([, yes, no]) => ({ cost: 0, size: Math.max(sizeOf(yes), sizeOf(no)) });
const member: Estimate = ([, holder], { parameters }) =>
  parameters[1]?.is === 'list' ? { cost: sizeOf(holder) } : one;
const argument: Estimate = ([, wanted]) => ({ cost: reading(sizeOf(wanted)) });
const converted =
  (from: string): Estimate =>
  ([text], { parameters: [first] }) =>
    first?.is === from ? { cost: reading(sizeOf(text)) } : one;

/** What does not take one step whatever it is given; methods with a dot in front. */
const estimates: Readonly<Partial<Record<string, Estimate>>> = {
  '_&&_': junction,
  '_||_': junction,
  '_?_:_': condition,
  '_+_': add,
  '_==_': equal,
  '_!=_': equal,
  '_<_': order,
  '_<=_': order,
  '_>_': order,
  '_>=_': order,
  '@in': member,
  bytes: converted('string'),
  string: converted('bytes'),
  url: ([text]) => ({ cost: reading(knownSizeOf(text)) }),
  '.startsWith': argument,
  '.endsWith': argument,
  '.contains': contains,
  '.matches': matching(sizeOf),
  '.find': matching(knownSizeOf),
  '.findAll': matching(knownSizeOf),
  '.isSorted': overList,
  '.sum': overList,
  '.min': overList,
  '.max': overList,
  '.indexOf': overList,
  '.lastIndexOf': overList,
  '.lowerAscii': readReceiver(),
  '.upperAscii': readReceiver(),
  '.substring': readReceiver(),
  '.trim': readReceiver(),
  '.replace': readReceiver(2 * tenth),
  '.split': readReceiver(2 * tenth),
  '.join': join,
};

/** What a call costs at most; where several forms fit, the most expensive one. */
export function callCost({ name, method, parts, forms }: Call): CallCost {
  const estimate = estimates[method ? `.${name}` : name];
  if (!estimate) return one;
  const all = forms.map((form) => estimate(parts, form));
  const sizes = all.flatMap(({ size }) => (size === undefined ? [] : [size]));
  const cost = Math.max(...all.map((each) => each.cost));
  return sizes.length > 0 ? { cost, size: Math.max(...sizes) } : { cost };
}
