import { describe, expect, it } from 'vitest';
import type { Json } from '../../verbs/json.ts';
import { fieldOf } from '../../verbs/protobuf.ts';
import type { Observation } from '../play/observation.ts';
import { differs, seen, step } from './two-answers.fixture.ts';

describe('what is of others', () => {
  it('is passed over where rules that are played beside have types on one of them alone', () => {
    const wide = step('s1', '/apis', { body: { json: { group: 'own.touchstone.example, and touchstone.example' } } });
    const at = (...names: string[]) => [seen(wide, { groups: names.map((name) => ({ name })) })];
    expect(differs(at('apps', 'touchstone.example'), at('apps'))).toEqual([]);
    expect(differs(at('apps', 'own.touchstone.example'), at('apps'))).toEqual(['groups.length']);
  });

  it('is passed over where a list reaches everything', () => {
    const everywhere = step('s1', '/api/v1/secrets');
    const item = (namespace: string): Json => ({ metadata: { name: 'a', namespace } });
    const list = (...items: Json[]): Observation[] => [
      seen(everywhere, { kind: 'SecretList', metadata: { remainingItemCount: items.length }, items }),
    ];
    expect(differs(list(item('tabc00001-1'), item('other')), list(item('tabc00001-1')))).toEqual([]);
    expect(differs(list(item('tabc00001-1')), list(item('other')))).toEqual(['items.length']);
  });

  it.each([
    ['labelSelector=app%3D<own>;', []],
    ['labelSelector=app%3D<own>%', []],
    ['labelSelector=app%3D<own>%2', []],
    ['limit=500;x&labelSelector=app%3D<own>', ['items.length']],
    ['labelSelector=app%3D<own>%3B', ['items.length']],
  ])('is passed over where a selector cannot be read, and selects nothing: %s', (query, expected) => {
    const list = (...names: string[]) => [
      seen(step('s1', '/api/v1/nodes', { query }), { items: names.map((name) => ({ metadata: { name } })) }),
    ];
    expect(differs(list('tabc00001-a', 'other'), list('tabc00001-a'))).toEqual(expected);
    expect(differs(list('tabc00001-a'), list())).toEqual(['items.length']);
  });

  it('is passed over among groups and paths: others may have made custom ones', () => {
    const groups = (...names: string[]): Observation[] => [
      seen(step('s1', '/apis'), { kind: 'APIGroupList', groups: names.map((name) => ({ name })) }),
    ];
    expect(differs(groups('apps', 'x1.example'), groups('apps', 'x2.example', 'x3.example'))).toEqual([]);
    expect(differs(groups('apps', 'batch'), groups('apps'))).toEqual(['groups.length']);
    const paths = (...all: string[]): Observation[] => [seen(step('s1', '/'), { paths: all })];
    expect(differs(paths('/api', '/apis/x1.example/v1'), paths('/api'))).toEqual([]);
    const documents = (...all: string[]): Observation[] => [
      seen(step('s1', '/openapi/v3'), { paths: Object.fromEntries(all.map((path) => [path, {}])) }),
    ];
    expect(differs(documents('apis/apps/v1', 'apis/x1.example/v1'), documents('apis/apps/v1'))).toEqual([]);
  });
});

it('does not see what controllers put into every namespace, in a list in any form or a stream', () => {
  const inBytes = (...names: readonly string[]): Buffer => {
    const items = names.map((name) => fieldOf(2, fieldOf(1, fieldOf(1, name))));
    const type = Buffer.concat([fieldOf(1, 'v1'), fieldOf(2, 'ServiceAccountList')]);
    return Buffer.concat([Buffer.from('k8s\0'), fieldOf(1, type), fieldOf(2, Buffer.concat(items))]);
  };
  const protobuf = { headers: { 'content-type': 'application/vnd.kubernetes.protobuf' } };
  const added = (name: string) => ({ type: 'ADDED', object: { metadata: { name, namespace: 'tabc00001-1' } } });
  const forms = {
    json: (...names: readonly string[]) =>
      seen(step('s1'), { kind: 'ServiceAccountList', items: names.map((name) => ({ metadata: { name } })) }),
    protobuf: (...names: readonly string[]) => seen(step('s1'), '', { ...protobuf, bytes: inBytes(...names) }),
    stream: (...names: readonly string[]) =>
      seen(
        step('s1', undefined, { watch: {} }),
        names
          .map(added)
          .map((event) => `${JSON.stringify(event)}\n`)
          .join(''),
      ),
  };
  for (const [form, list] of Object.entries(forms)) {
    expect(differs([list('default', 'a')], [list('a')]), form).toEqual([]);
    expect(differs([list('other', 'a')], [list('a')]), form).not.toEqual([]);
  }
});

describe('schemas of types', () => {
  const schema = (group: string, kind: string): Json => ({
    [`${kind}`]: { type: 'object', 'x-kubernetes-group-version-kind': [{ group, version: 'v1', kind }] },
  });
  const published = (...definitions: readonly Json[]): Json => ({
    swagger: '2.0',
    paths: { '/apis/apps/v1/deployments': {}, '/apis/mine.example/v1/things': {} },
    definitions: Object.assign({}, ...definitions),
  });
  const told = step('s1', '/apis/mine.example/v1');
  const all = step('s2', '/openapi/v2');
  const asked = (definitions: readonly Json[]): Observation[] => [seen(told, {}), seen(all, published(...definitions))];
  const mine = schema('mine.example', 'Thing');

  it('are compared where all are told, if the play speaks of them', () => {
    expect(differs(asked([mine]), asked([]))).toEqual(['definitions.Thing']);
  });

  it('are not compared where they are of others, or tell of themselves elsewhere', () => {
    const theirs = [schema('others.example', 'Other'), schema('apps', 'Deployment')];
    expect(differs(asked([mine, ...theirs]), asked([mine]))).toEqual([]);
  });
});
