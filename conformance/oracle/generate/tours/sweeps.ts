import type { Json } from '../../../verbs/client.ts';
import type { OracleKind } from '../../oracle-kind.ts';
import { merged } from '../../play/request.ts';
import type { Scenario, Step } from '../../play/scenario.ts';
import { objectOf } from '../../samples/objects.ts';
import { inForm } from '../forms.ts';
import { dryBeside, KindStory, Story } from '../story.ts';

/** A little of every kind at once, none of which changes anything: what only one kind does is seen before its own tours come. */
interface Sweep {
  readonly name: string;
  readonly tell: (at: KindStory) => void;
}

/** What is not there is made by some ways to write, and is missed by others. */
function absent(at: KindStory): void {
  const object = objectOf(at.kind, 'none');
  const { name } = object.metadata;
  at.put('none', { json: object }, dryBeside);
  at.apply('none', { ...object, metadata: { name } }, 'alice', { query: dryBeside.query, alongside: true });
  at.patch('none', 'merge', { metadata: { labels: { touched: 'yes' } } }, dryBeside);
  at.delete('none', dryBeside);
  at.get('none', { ...inForm('table'), alongside: true });
}

/** More than a server tells of, in each manner to take it. */
const manyUnknown: Json = Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`unknown${at}`, at]));

function unknown(at: KindStory): void {
  for (const fieldValidation of ['Warn', 'Strict', 'Ignore'])
    at.create(
      { ...objectOf(at.kind, 'a'), ...manyUnknown },
      { ...dryBeside, query: { dryRun: 'All', fieldValidation } },
    );
}

/** How many changes of one kind are tried. */
const mostChanges = 16;

/** What a row shows of an object in which something is not said, or of which there is nothing. */
function shown(at: KindStory): void {
  const object = objectOf(at.kind, 'a');
  at.create(object, { ...dryBeside, ...inForm('table') });
  for (const change of changesOf(object).slice(0, mostChanges))
    at.create(merged(object, change), { ...dryBeside, ...inForm('table') });
}

/** Merge patches that say less: of each member, those with numbers first, which rows reckon with. */
function changesOf({ apiVersion: _, kind: __, metadata: ___, spec = {}, ...parts }: Json): readonly Json[] {
  const within = lessOf(spec).map((change): Json => ({ spec: change }));
  return [...within, ...lessOf(parts)];
}

function lessOf(parts: Json): readonly Json[] {
  const members = Object.entries<Json>(parts);
  const isNumber = ([, value]: [string, Json]): boolean => typeof value === 'number';
  return [
    ...members.filter(isNumber).flatMap(([name, value]) => [null, 0, value / 4].map((less) => ({ [name]: less }))),
    ...members.filter((member) => !isNumber(member)).map(([name]) => ({ [name]: null })),
  ];
}

const sweeps: readonly Sweep[] = [
  { name: 'what is not there', tell: absent },
  { name: 'rows of what is not said', tell: shown },
  { name: 'much that is unknown', tell: unknown },
];

/** How many kinds are told of in one scenario. */
const kindsAtOnce = 16;

/** @param prepareFor steps without which objects of some kinds are refused */
export function* sweepScenarios(
  kinds: readonly OracleKind[],
  prepareFor: (kinds: readonly OracleKind[]) => readonly Step[],
): Generator<Scenario> {
  for (const { name, tell } of sweeps)
    for (let from = 0; from < kinds.length; from += kindsAtOnce) {
      const some = kinds.slice(from, from + kindsAtOnce);
      const story = new Story();
      for (const kind of some) tell(new KindStory(story, kind));
      yield story.scenario(`${name}, ${from / kindsAtOnce + 1}`, 'sequences', 2, prepareFor(some));
    }
}
