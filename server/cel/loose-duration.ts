/** A duration as Go writes it. */
const exact = /^[-+]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;
/** A whole number with a unit in words, which may go on where it is a long one (`minutes`). */
const amounts = /(?<!\d)(\d+)\s*([A-Za-zµ]+)/g;

const second = 1_000_000_000n;
const hour = 3600n * second;
const shortUnits: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1000n],
  ['µs', 1000n],
  ['ms', 1_000_000n],
  ['s', second],
  ['m', 60n * second],
  ['h', hour],
  ['hr', hour],
  ['d', 24n * hour],
  ['w', 168n * hour],
  ['wk', 168n * hour],
]);
const longUnits: readonly (readonly [string, bigint])[] = [
  ['nano', 1n],
  ['micro', 1000n],
  ['milli', 1_000_000n],
  ['sec', second],
  ['min', 60n * second],
  ['hour', hour],
  ['day', 24n * hour],
  ['week', 168n * hour],
];

function unitOf(word: string): bigint | undefined {
  const unit = word.toLowerCase();
  return shortUnits.get(unit) ?? longUnits.find(([long]) => unit.startsWith(long))?.[1];
}

/**
 * What the format `duration` takes, as Go writes it (`36h0m0.5s`): a text in that form, or one with amounts of some
 * unit anywhere in it, which are added up (`1 day 12 hours`). Undefined: it is no duration.
 */
export function durationText(text: string): string | undefined {
  if (exact.test(text)) return text;
  let total: bigint | undefined;
  for (const [, amount = '', word = ''] of text.matchAll(amounts)) {
    const unit = unitOf(word);
    if (unit !== undefined) total = (total ?? 0n) + BigInt(amount) * unit;
  }
  return total === undefined ? undefined : `${total}ns`;
}
