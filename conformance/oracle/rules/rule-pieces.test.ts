import { describe, expect, it } from 'vitest';
import { defineOwnRule, type Rule } from '../../rule.ts';
import { startProxy } from '../../sabotage/proxy.ts';
import type { Sabotage } from '../../sabotage/sabotage.ts';
import { changeAnswer, changeEvent, replaceIn } from '../../sabotage/transforms.ts';
import { leasedType } from '../../verbs/custom-types.ts';
import type { Difference } from '../compare/differ.ts';
import { signatureOf } from '../compare/duel.ts';
import type { Piece } from '../piece.ts';
import { type OpenSide, openSide } from '../play/open-side.ts';
import { twoReferences } from '../two-references.fixture.ts';
import { inTurnsOfChapters, rulePiecesOf } from './rule-pieces.ts';

const references = twoReferences();

const ruleOf = (check: Rule['check']): Rule => defineOwnRule('own.rule', { statement: 'holds', check });

const patience = { quiet: 100, mark: 1_000 };

/** What is told of each play of a piece. */
async function told(piece: Piece): Promise<readonly { what: string; differences: readonly Difference[] }[]> {
  const { divergences } = await piece.compare(patience);
  return divergences.map((one) => ({ what: signatureOf(one), differences: one.differences }));
}

/** Plays the pieces of a rule so often, on the judged server through a sabotage where one is given. */
async function compared(
  rule: Rule,
  { sabotage, times = 1, leftOut = [] }: { sabotage?: Sabotage; times?: number; leftOut?: readonly string[] } = {},
): Promise<{ found: Awaited<ReturnType<typeof told>>; answers: number }> {
  const real = references.judged.target;
  const proxy = sabotage && (await startProxy(real, references.agent, sabotage));
  const parts = { run: 'rules', stopped: new AbortController().signal };
  const sides = [proxy?.target ?? real, references.other.target].map((target) => openSide(target, parts));
  const [judged, other] = sides as [OpenSide, OpenSide];
  const pair = { judged, other, ownWords: () => 'unused' };
  const permit = { run: 'rules', write: true, cluster: true, disruptive: true };
  try {
    const [piece] = [...(await rulePiecesOf([rule], { pair, permit, leftOut: new Set(leftOut), hooked: true }))] as [
      Piece,
    ];
    let found = await told(piece);
    for (let count = 1; count < times; count++) found = await told(piece);
    return { found, answers: (await piece.compare(patience)).answers };
  } finally {
    await Promise.all(sides.map((side) => side.close()));
    await proxy?.stop();
  }
}

/** Says nothing of what it is answered. */
const reader = ruleOf(async ({ secrets, unique }) => {
  const { metadata } = await secrets.create({ metadata: { name: unique('read') } });
  await secrets.get(metadata.name);
  await secrets.getAll();
});

describe('what a rule is answered', () => {
  it('is the same on two servers of one make, whatever they choose', async () => {
    const { found, answers } = await compared(reader);
    expect(found).toEqual([]);
    expect(answers).toBe(4);
  });

  it('is the same in every form, and of types that rules share', async () => {
    const forms = [
      'application/vnd.kubernetes.protobuf',
      'application/yaml',
      'application/json;as=Table;g=meta.k8s.io;v=v1',
    ];
    let plays = 0;
    const asker = ruleOf(async (context) => {
      const { configMaps, unique } = context;
      // On one server the type is there already, and has an older name.
      if (plays++ % 2 === 0) await leasedType(context, 'Namespaced');
      const things = await leasedType(context, 'Namespaced');
      await things.create({ metadata: { name: unique('thing') } });
      await things.getAll();
      await configMaps.create({ metadata: { name: unique('long') }, data: { long: 'word '.repeat(40_000) } });
      for (const accept of forms) await configMaps.getAll('', { headers: { accept, 'accept-encoding': 'gzip' } });
    });
    const { found, answers } = await compared(asker, { times: 2 });
    expect(found).toEqual([]);
    expect(answers).toBeGreaterThan(8);
  });

  it('is told of where it differs, though the rule is content', async () => {
    const sabotage = replaceIn('metadata.generateName', { method: 'GET', path: /\/secrets\/read-/, with: 'odd-' });
    const { found } = await compared(reader, { sabotage });
    expect(found).toEqual([
      {
        what: 'get secrets: metadata.generateName',
        differences: [{ at: 'metadata.generateName', seen: 'odd-', expected: undefined }],
      },
    ]);
  });

  it('is told of in streams, too', async () => {
    const watcher = ruleOf(async ({ secrets, unique }) => {
      const watch = await secrets.watch();
      await secrets.create({ metadata: { name: unique('seen') } });
      await watch.next('the new one');
    });
    const retyped = changeEvent('', (event) => [{ ...event, object: { ...event.object, type: 'other' } }]);
    expect((await compared(watcher)).found).toEqual([]);
    const { found } = await compared(watcher, { sabotage: retyped });
    expect(found.map(({ what }) => what)).toEqual(['watch secrets: events[].object.type']);
  });

  it('says nothing where kinds are left out', async () => {
    const sabotage = replaceIn('metadata.generateName', { method: 'GET', path: /\/secrets\/read-/, with: 'odd-' });
    const { found, answers } = await compared(reader, { sabotage, leftOut: ['secrets'] });
    expect(found).toEqual([]);
    expect(answers).toBe(1);
  });

  it('says nothing after a write that went differently', async () => {
    const sabotage = replaceIn('type', { path: /\/secrets/, with: 'other' });
    const { found } = await compared(reader, { sabotage });
    expect(found.map(({ what }) => what)).toEqual(['create secrets: type']);
  });
});

describe('no difference is', () => {
  it('how often a rule looks until it sees what it waits for', async () => {
    let plays = 0;
    const poller = ruleOf(async ({ secrets, unique }) => {
      plays += 1;
      const { metadata } = await secrets.create({ metadata: { name: unique('poll') } });
      for (let count = 0; count < plays; count++) await secrets.get(metadata.name);
    });
    expect((await compared(poller, { times: 3 })).found).toEqual([]);
  });

  it('what a rule has chosen anew for each play', async () => {
    const random = ruleOf(async ({ secrets, unique }) => {
      const stringData = { word: Math.random().toString() };
      const annotations = { word: Math.random().toString(36), when: new Date().toISOString() };
      const { metadata } = await secrets.create({ metadata: { name: unique('chosen'), annotations }, type: 'a/b' });
      await secrets.merge(metadata.name, { metadata: { labels: stringData } });
      await secrets.get(metadata.name);
    });
    expect((await compared(random, { times: 2 })).found).toEqual([]);
  });

  it('what a server answers otherwise each time', async () => {
    let count = 0;
    const wavering = changeAnswer('counts', (body) => ({ ...body, count: count++ }), {
      method: 'GET',
      path: /\/secrets\/read-/,
    });
    const first = await compared(reader, { sabotage: wavering });
    expect(first.found.map(({ what }) => what)).toEqual(['get secrets: count']);
    expect((await compared(reader, { sabotage: wavering, times: 2 })).found).toEqual([]);
  });
});

it('is not compared where it depends on which of its requests comes first', async () => {
  const racing = { ...reader, races: true };
  const parts = { run: 'races', stopped: new AbortController().signal };
  const [judged, other] = [openSide(references.judged.target, parts), openSide(references.other.target, parts)];
  const permit = { run: 'races', write: true, cluster: true, disruptive: true };
  const work = { pair: { judged, other, ownWords: () => 'unused' }, permit, leftOut: new Set<string>(), hooked: true };
  const names = [...(await rulePiecesOf([racing, reader], work))].map(({ rules }) => rules);
  expect(names).toEqual([['own.rule']]);
  await Promise.all([judged.close(), other.close()]);
});

it('comes chapter by chapter, so that a short run sees something of each', () => {
  const ids = ['apply.a', 'apply.b', 'limits.a', 'watch.a', 'watch.b', 'watch.c', 'rv.a'];
  expect(inTurnsOfChapters(ids.map((id) => ({ ...reader, id }))).map(({ id }) => id)).toEqual([
    ...['apply.a', 'watch.a', 'rv.a'],
    ...['apply.b', 'watch.b'],
    'watch.c',
    // Of what it makes little is compared.
    'limits.a',
  ]);
});
