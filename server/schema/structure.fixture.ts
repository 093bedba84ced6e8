import fc from 'fast-check';
import type { Json } from '../base/kube-object.ts';
import type { Scalar, StructType, Structure } from './structure.ts';

const time = fc
  .integer({ min: 0, max: 4_000_000_000 })
  .map((seconds) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z'));

const scalars: Readonly<Record<Scalar, fc.Arbitrary<Json>>> = {
  string: fc.oneof(fc.string({ maxLength: 8 }), fc.string({ unit: 'grapheme', maxLength: 4 })),
  boolean: fc.boolean(),
  int32: fc.integer(),
  int64: fc.maxSafeInteger(),
  double: fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (number === 0 ? 0 : number)),
  bytes: fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  time,
  microTime: fc
    .tuple(time, fc.nat(999_999))
    .map(([whole, micro]) => `${whole.slice(0, -1)}.${String(micro).padStart(6, '0')}Z`),
  quantity: fc.constantFrom('0', '1', '100Mi', '250m', '1500', '-3', '1e3'),
  amount: fc.constantFrom('0', '1', '100Mi', '250m', '1500', '-3', '1e3'),
  intOrString: fc.oneof(fc.integer(), fc.string({ maxLength: 6 })),
};

const free = fc.dictionary(
  fc.string({ maxLength: 5 }),
  fc.oneof(fc.string({ maxLength: 4 }), fc.integer(), fc.boolean()),
  {
    minKeys: 1,
    maxKeys: 2,
    noNullPrototype: true,
  },
);

/** At so many levels there is nothing more inside. */
const deepest = 9;
/** Members of one object: enough to meet each one in the end, few enough to stay quick. */
const mostMembers = 4;

/** Whether a member of a definition is left out. */
type Without = (definition: string, member: string) => boolean;

/** Values that fit a structure. Every list and map has something in it: what is empty may as well be absent. */
export function fitting(structure: Structure, without: Without = () => false, depth = 0): fc.Arbitrary<Json> {
  const inside = (inner: Structure) => fitting(inner, without, depth + 1);
  switch (structure.type) {
    case 'scalar':
      return scalars[structure.scalar];
    case 'any':
      return free;
    case 'list':
      return fc.array(inside(structure.items), { minLength: 1, maxLength: 2 });
    case 'map':
      return fc.dictionary(fc.string({ maxLength: 6 }), inside(structure.values), {
        minKeys: 1,
        maxKeys: 2,
        noNullPrototype: true,
      });
    default:
      return depth > deepest ? fc.constant({}) : membersOf(structure, inside, without);
  }
}

function membersOf(
  { name: definition, fields }: StructType,
  inside: (inner: Structure) => fc.Arbitrary<Json>,
  without: Without,
): fc.Arbitrary<Json> {
  const kept = [...fields].filter(([member]) => !without(definition, member));
  return fc
    .subarray(kept, { maxLength: Math.min(mostMembers, kept.length) })
    .chain((chosen) => fc.record(Object.fromEntries(chosen.map(([member, { type }]) => [member, inside(type)]))));
}
