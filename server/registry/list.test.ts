import { beforeEach, describe, expect, it } from 'vitest';
import { configMapResource, mapOf, Registry, refusal } from './call.fixture.ts';
import { create } from './create.ts';
import { list } from './list.ts';
import { type ListParameters, listRequest } from './list-options.ts';
import { get, parseVersion } from './read.ts';

let registry: Registry;
beforeEach(async () => {
  registry = await new Registry().begin();
  for (const name of ['a', 'b', 'c', 'd', 'e'])
    await create(registry.call({ name }), mapOf(name, { labels: { n: name } }));
});
const ask = (parameters: ListParameters = {}, namespace = 'default') =>
  list(registry.call({ name: '', namespace }), listRequest(configMapResource, parameters));
const names = ({ items }: Awaited<ReturnType<typeof list>>) => items.map(({ value }) => value.metadata.name).join('');

describe('a list', () => {
  it('holds everything, or as many as asked for and a way to the rest', async () => {
    expect(names(await ask())).toBe('abcde');
    const first = await ask({ limit: 2 });
    expect(names(first)).toBe('ab');
    expect(first.remaining).toBe(3);
    const rest = await ask({ limit: 3, continue: first.token });
    expect(names(rest)).toBe('cde');
    expect(rest.token).toBeUndefined();
    expect(names(await ask({ limit: -1 }))).toBe('abcde');
  });

  it('shows a version exactly, or none that is older', async () => {
    const { revision } = await ask();
    await create(registry.call({ name: 'f' }), mapOf('f'));
    const resourceVersion = String(revision);
    expect(names(await ask({ resourceVersion, resourceVersionMatch: 'Exact' }))).toBe('abcde');
    expect(names(await ask({ resourceVersion, resourceVersionMatch: 'NotOlderThan' }))).toBe('abcdef');
    expect(names(await ask({ resourceVersion }))).toBe('abcdef');
    expect(names(await ask({ resourceVersion, limit: 10 }))).toBe('abcde');
    expect(names(await ask({ resourceVersion: '0' }))).toBe('abcdef');
  });

  it.each([
    ['labelSelector', 'n=b', 'b'],
    ['labelSelector', 'n in (a,c)', 'ac'],
    ['labelSelector', 'n notin (a,c)', 'bde'],
    ['labelSelector', '!n', ''],
    ['fieldSelector', 'metadata.name=d', 'd'],
    ['fieldSelector', 'metadata.name!=d', 'abce'],
    ['fieldSelector', 'metadata.namespace=other', ''],
    ['fieldSelector', 'metadata.name=missing', ''],
  ])('with %s %s', async (selector, text, expected) => {
    expect(names(await ask({ [selector]: text }))).toBe(expected);
    expect(names(await ask({ [selector]: text }, ''))).toBe(expected);
  });

  it('of all namespaces goes through them in order', async () => {
    await registry.services.store.create('/namespaces//another', {
      kind: 'Namespace',
      apiVersion: 'v1',
      metadata: { name: 'another' },
    });
    await create(registry.call({ name: 'z', namespace: 'another' }), mapOf('z'));
    expect(names(await ask({}, ''))).toBe('zabcde');
    expect(names(await ask({ fieldSelector: 'metadata.name=z' }, ''))).toBe('z');
  });

  it('that went on too long is over, and says where it could go on', async () => {
    const first = await ask({ limit: 2 });
    await create(registry.call({ name: 'aa' }), mapOf('aa'));
    await create(registry.call({ name: 'cc' }), mapOf('cc'));
    await registry.services.store.compact(await registry.services.store.currentRevision());
    const request = listRequest(configMapResource, { limit: 2, continue: first.token });
    const error = await list(registry.call({ name: '' }), request).catch((thrown) => thrown);
    expect(error.status).toMatchObject({ code: 410, reason: 'Expired' });
    const fresh = error.status.metadata.continue;
    expect(names(await ask({ continue: fresh }))).toBe('cccde');
    const resourceVersion = String(first.revision);
    expect(await refusal(() => ask({ resourceVersion, resourceVersionMatch: 'Exact' }))).toMatchObject({ code: 410 });
  });

  it('begins anew where its first page is of a version that is not there any more, or not yet', async () => {
    const { tokens } = registry.call({ name: '' }).services;
    const token = tokens.encode({ revision: 1000, after: 'default/b' });
    const request = listRequest(configMapResource, { limit: 2, continue: token });
    const error = await list(registry.call({ name: '' }), request).catch((thrown) => thrown);
    expect(error.status).toMatchObject({ code: 410, reason: 'Expired' });
    expect(names(await ask({ continue: error.status.metadata.continue }))).toBe('cde');
  });

  it.each<[ListParameters, number]>([
    [{ resourceVersion: 'x' }, 400],
    [{ resourceVersion: '-1' }, 400],
    [{ resourceVersion: '1'.repeat(30) }, 400],
    [{ resourceVersion: '5', continue: 'x' }, 400],
    [{ continue: 'x' }, 400],
    [{ labelSelector: '=' }, 400],
    [{ fieldSelector: 'spec.x=1' }, 400],
    [{ fieldSelector: 'constructor=1' }, 400],
    [{ resourceVersionMatch: 'Exact' }, 422],
    [{ resourceVersionMatch: 'Exact', resourceVersion: '0' }, 422],
    [{ resourceVersionMatch: 'Roughly', resourceVersion: '1' }, 422],
    [{ resourceVersionMatch: 'NotOlderThan', resourceVersion: '1', continue: 'x' }, 422],
    [{ resourceVersion: '999999', resourceVersionMatch: 'Exact' }, 504],
  ])('with %j is refused with %d', async (parameters, code) => {
    expect(await refusal(() => ask(parameters))).toMatchObject({ code });
  });
});

describe('a read', () => {
  it('of any version so far is the newest', async () => {
    for (const version of [undefined, '', '0', '1', '2']) {
      expect((await get(registry.call({ name: 'a' }), version)).value.metadata.name).toBe('a');
    }
    expect(await refusal(() => get(registry.call({ name: 'a' }), 'x'))).toMatchObject({ code: 400 });
  });

  it('understands versions up to 64 bits', () => {
    expect(parseVersion('18446744073709551615')).toBe(Number.MAX_SAFE_INTEGER);
    expect(() => parseVersion('18446744073709551616')).toThrow();
    expect(() => parseVersion('1.5')).toThrow();
  });
});
