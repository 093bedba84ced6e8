import { expect, it } from 'vitest';
import { type Caller, withoutCaller } from './caller.ts';
import { differencesOf } from './differ.ts';

const [one, other]: readonly [Caller, Caller] = [
  { username: 'admin', uid: 'admin-uid', groups: ['system:masters', 'system:authenticated'] },
  { username: 'somebody', groups: ['some', 'system:authenticated'], extra: { scopes: ['all'] } },
];

const differing = (seen: object, expected: object): string[] => {
  const normal = (body: object) => ({ status: 200, headers: {}, body });
  return differencesOf(normal(withoutCaller(seen, one)), normal(withoutCaller(expected, other))).map(({ at }) => at);
};

const spec = ({ username, uid, groups, extra }: Caller): object => ({
  username,
  uid,
  groups,
  extra,
  signerName: 'x/y',
});

it('takes one player by two names for the same', () => {
  expect(differing(spec(one), spec(other))).toEqual([]);
});

it('reads the fields of protobuf too', () => {
  const wire = ({ username, uid = '', groups = [] }: Caller): object => ({ 2: [username], 3: [uid], 4: groups });
  expect(differing(wire(one), wire(other))).toEqual([]);
});

it('tells what stands there in place of the player', () => {
  expect(differing({ ...spec(one), groups: ['system:masters'] }, spec(other))).toEqual(['groups']);
  expect(differing({ ...spec(one), uid: 'else' }, spec(other))).toEqual(['uid']);
  expect(differing({ ...spec(one), groups: undefined }, spec(other))).toEqual(['groups']);
  expect(differing({ ...spec(one), username: 'nobody' }, spec(other))).toContain('username');
});

it('leaves alone what does not hold the name', () => {
  const object = { name: 'some', groups: one.groups };
  expect(withoutCaller(object, one)).toBe(object);
  expect(withoutCaller(spec(one), undefined)).toEqual(spec(one));
});

it.each([
  { user: 'admin', pool: 'rbd' },
  { 5: ['admin'], 3: ['rbd'] },
])('leaves alone what is called alike: %j', (value) => {
  expect(differing(value, value)).toEqual([]);
});
