import { describe, expect, it } from 'vitest';
import type { Json } from '../../verbs/json.ts';
import type { Observation } from '../play/observation.ts';
import { differs, object, seen, step, uidOf } from './two-answers.fixture.ts';

describe('answers, by what each server chooses for itself,', () => {
  const [first, second] = [step('s1'), step('s2')];

  it('are the same but for uids, versions, near times and the words of the play', () => {
    const one = [seen(first, object(uidOf('a'), '17', { at: 'tabc00001-1' }))];
    const other = [seen(first, object(uidOf('b'), '904', { at: 'txyz00009-1' }))];
    expect(differs(one, other, ['tabc00001', 'txyz00009'])).toEqual([]);
  });

  it('are the same but for addresses from a pool, though one stands in what was sent, as the beginning of another', () => {
    const sent = step('s1', undefined, { body: { json: { spec: { externalIPs: ['10.0.0.240'] } } } });
    const at = (clusterIP: string) => [seen(sent, object(uidOf('a'), '17', { spec: { clusterIP } }))];
    expect(differs(at('10.0.0.24'), at('10.0.0.7'))).toEqual([]);
    expect(differs(at('10.0.0.240'), at('10.0.0.7'))).toEqual(['spec.clusterIP']);
  });

  it('are the same wherever a server takes itself to be', () => {
    const at = (serverAddress: string) => [
      seen(first, { kind: 'APIVersions', serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }] }),
    ];
    expect(differs(at('127.0.0.1:6443'), at('172.18.0.2:6443'))).toEqual([]);
    expect(differs(at('127.0.0.1:6443'), at('none'))).toEqual(['serverAddressByClientCIDRs[].serverAddress']);
  });

  it('differ when a version stays on one and moves on the other', () => {
    const stays = [seen(first, object(uidOf('a'), '17')), seen(second, object(uidOf('a'), '17'))];
    const moves = [seen(first, object(uidOf('b'), '4')), seen(second, object(uidOf('b'), '5'))];
    expect(differs(stays, moves)).toEqual(['metadata.resourceVersion']);
  });

  it('differ when an object is another one on one of them', () => {
    const same = [seen(first, object(uidOf('a'), '17')), seen(second, object(uidOf('a'), '18'))];
    const renewed = [seen(first, object(uidOf('b'), '4')), seen(second, object(uidOf('c'), '5'))];
    expect(differs(same, renewed)).toEqual(['metadata.uid']);
  });

  it('may make up suffixes, ports and addresses that nobody asked for', () => {
    const made = (name: string): Observation[] => [
      seen(
        { ...first, body: { json: { metadata: { generateName: 'made-' } } } },
        { metadata: { generateName: 'made-', name } },
      ),
    ];
    expect(differs(made('made-x1y2z'), made('made-a9b8c'))).toEqual([]);
    const service = (clusterIP: string, nodePort: number): Observation[] => [
      seen(first, { spec: { clusterIP, ports: [{ nodePort }] } }),
    ];
    expect(differs(service('10.0.0.7', 30007), service('10.0.0.9', 31000))).toEqual([]);
    expect(differs(service('None', 30007), service('10.0.0.9', 31000))).toEqual(['spec.clusterIP']);
  });

  it('may be named by a uid that nobody asked for', () => {
    const named = (name: string): Observation[] => [seen(first, { metadata: { name } })];
    expect(differs(named(uidOf('a')), named(uidOf('b')))).toEqual([]);
    expect(differs(named(uidOf('a')), named('plain'))).toEqual(['metadata.name']);
  });

  it('may have uids in keys, each of its own object', () => {
    const managed = (uid: string, owner: string): Observation[] => [
      seen(first, object(uid, '17')),
      seen(second, { metadata: { managedFields: [{ fieldsV1: { [`k:{"uid":"${owner}"}`]: {} } }] } }),
    ];
    const [a, b, c] = ['a', 'b', 'c'].map(uidOf) as [string, string, string];
    expect(differs(managed(a, a), managed(b, b))).toEqual([]);
    expect(differs(managed(a, a), managed(b, c))).not.toEqual([]);
  });
});

it('tells which kinds have the same hash of their store and which ports are the same, whatever they are', () => {
  const one = step('s1');
  const two = step('s2');
  const stored = (...hashes: readonly string[]): Observation[] =>
    [one, two].map((which, at) => seen(which, { resources: [{ name: 'things', storageVersionHash: hashes[at] }] }));
  expect(differs(stored('aa', 'aa'), stored('bb', 'bb'))).toEqual([]);
  expect(differs(stored('aa', 'cc'), stored('bb', 'bb'))).toEqual(['resources[].storageVersionHash']);
  const ports = (...numbers: readonly number[]): Observation[] => [
    seen(one, { spec: { ports: numbers.map((nodePort) => ({ nodePort })) } }),
  ];
  expect(differs(ports(30_001, 30_001), ports(30_002, 30_002))).toEqual([]);
  expect(differs(ports(30_001, 30_003), ports(30_002, 30_002))).toEqual(['spec.ports[].nodePort']);
  const behind = (port: number): Observation[] => [seen(one, { spec: { service: { port } } })];
  expect(differs(behind(40_001), behind(40_002))).toEqual([]);
  expect(differs(behind(443), behind(444))).toEqual(['spec.service.port']);
  const body = { text: '{"port":40001}' };
  const said = (port: number): Observation[] => [seen({ ...one, body }, { spec: { service: { port } } })];
  expect(differs(said(40_001), said(40_002))).toEqual(['spec.service.port']);
});

it('calls things by the answers that show them, whatever a stream that was opened before them lacks', () => {
  const watch = step('s1', undefined, { watch: {} });
  const lines = (...objects: readonly Json[]): string =>
    objects.map((each) => JSON.stringify({ type: 'ADDED', object: each })).join('\n');
  const play = (digit: string, ...told: readonly Json[]): Observation[] => [
    seen(watch, lines(...told.map(({ version }) => object(uidOf(digit), version, { at: 'tabc00001' })))),
    seen(step('s2'), object(uidOf(digit), '7')),
  ];
  const all = [{ version: '6' }, { version: '7' }];
  expect(differs(play('a', ...all), play('b', ...all))).toEqual([]);
  expect(differs(play('a', ...all), play('b', { version: '7' }))).toEqual(['events.length']);
});
