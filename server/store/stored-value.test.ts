import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { KubeObject } from '../base/kube-object.ts';
import { itemStart, joinedLength, joinItems } from './joined-items.ts';
import { encodeObject, limitDecoded, StoredValue, withRevision } from './stored-value.ts';

const stored = (name: string, more: object = {}) =>
  new StoredValue(name, 7, { apiVersion: 'v1', kind: 'Thing', metadata: { name, resourceVersion: '7' }, ...more });

describe('bytes of a stored value', () => {
  it('say the same as the value, kind and apiVersion first', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (members) => {
        const value = { ...members, apiVersion: 'v1', kind: 'Thing', metadata: { name: 'a' } } as KubeObject;
        const text = encodeObject(value).toString();
        expect(text.startsWith('{"kind":"Thing","apiVersion":"v1",')).toBe(true);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('show where the item of a list begins', () => {
    const item = stored('a', { apiVersion: 'apps/v1' });
    expect(item.bytes.toString('utf8', itemStart(item))).toBe('"metadata":{"name":"a","resourceVersion":"7"}}');
  });

  it('keep no more memory than they take', () => {
    const { line } = stored('a', { text: 'x'.repeat(1000) });
    const read = StoredValue.ofLine('a', 7, Buffer.from(line));
    for (const each of [line, read.line]) expect(each.buffer.byteLength).toBe(each.length);
    expect(read.line).toEqual(line);
  });

  it.each([
    ['short', 'x', true],
    ['long', 'x'.repeat(17_000), false],
    ['not ASCII', 'é', false],
  ])('are held as text until they are needed, unless it is %s', (_, text, held) => {
    const one = stored('a', { text });
    const shown = one.text;
    const { value, line } = one;
    expect(shown !== undefined).toBe(held);
    if (held) expect(line.toString()).toBe(`${shown}\n`);
    expect(line).toEqual(Buffer.concat([encodeObject(value), Buffer.from('\n')]));
    expect(one.text, 'not twice').toBeUndefined();
  });

  it('let the value be read again, also from text', () => {
    for (const text of ['x', 'é', 'x'.repeat(17_000)]) {
      const one = stored('a', { text, number: 12345678901234567890n });
      const { value } = one;
      one.replaced();
      expect(one.value).not.toBe(value);
      expect(one.value).toEqual(value);
    }
  });

  it('are made anew under another revision, and the original stays', () => {
    const original = stored('a', { data: 1 });
    const later = withRevision(original, 9);
    expect(later.revision).toBe(9);
    expect(JSON.parse(later.bytes.toString())).toEqual({
      ...original.value,
      metadata: { name: 'a', resourceVersion: '9' },
    });
    expect(original.value.metadata.resourceVersion).toBe('7');
  });
});

describe('a decoded value', () => {
  afterEach(() => limitDecoded(8 * 1024 * 1024));

  const isHeldBesideOthers = (): boolean => {
    const one = stored('one');
    const { value } = one;
    for (let n = 0; n < 20; n++) stored(`other${n}`);
    expect(one.value).toEqual(value);
    return one.value === value;
  };

  it('is held, unless that takes more than it may', () => {
    expect(isHeldBesideOthers()).toBe(true);
    limitDecoded(10_000);
    expect(isHeldBesideOthers()).toBe(false);
  });
});

describe('decoded values of which one alone takes more than all may', () => {
  afterEach(() => limitDecoded(8 * 1024 * 1024));

  it('go, and are there again for whoever asks', () => {
    limitDecoded(1000);
    const all = Array.from({ length: 300 }, (_, n) => stored(`one${n}`, { text: 'x'.repeat(n % 3 > 0 ? 50_000 : 5) }));
    for (const one of [...all, ...all.reverse()]) {
      expect(one.value.metadata.name).toBe(one.key);
      expect(one.line.toString()).toContain(`"name":"${one.key}"`);
    }
  });
});

describe('a version that was replaced', () => {
  const collectGarbage = (): void => {
    setFlagsFromString('--expose-gc');
    runInNewContext('gc')();
  };

  it.each(['never read', 'read again'])('is kept by nobody, %s', async (readAgain) => {
    const values = (): WeakRef<StoredValue>[] =>
      Array.from({ length: 100 }, (_, n) => {
        const one = stored(`one${n}`, { text: 'x'.repeat(1000) });
        if (n % 2 > 0) return new WeakRef(one);
        one.replaced();
        if (readAgain === 'read again') expect(one.value.metadata.name).toBe(`one${n}`);
        one.replaced();
        return new WeakRef(one);
      });
    const refs = values();
    await new Promise(setImmediate);
    collectGarbage();
    const isThere = refs.map((ref) => ref.deref() !== undefined);
    expect(isThere).toEqual(refs.map((_, n) => n % 2 > 0));
  });
});

describe('joining items', () => {
  it.each([
    [0, true, '{"items":[]}\n'],
    [1, true, '{"items":[{"metadata":{"name":"é0","resourceVersion":"7"}}]}\n'],
    [
      2,
      false,
      '{"items":[{"kind":"Thing","apiVersion":"v1","metadata":{"name":"é0","resourceVersion":"7"}},{"kind":"Thing","apiVersion":"v1","metadata":{"name":"é1","resourceVersion":"7"}}]}\n',
    ],
  ])('puts %j between head and tail, bare: %j', (count, bare, text) => {
    const items = Array.from({ length: count }, (_, n) => stored(`é${n}`));
    expect(joinItems(items, { head: '{"items":[', tail: ']}\n', bare }).toString()).toBe(text);
    expect(joinedLength(items, bare)).toBe(Buffer.byteLength(text) - '{"items":[]}\n'.length);
  });

  it.each([true, false])('is told in length before there are bytes, bare: %j', (bare) => {
    const items = [stored('a'), stored('b', { apiVersion: 'apps/v1' }), stored('é')];
    const length = joinedLength(items, bare);
    expect(items[0]?.text).toBeTypeOf('string');
    expect(joinItems(items, { head: '', tail: '', bare }).length).toBe(length);
  });
});
