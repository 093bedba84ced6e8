import { isCustom, labelOf, type OracleKind } from '../../oracle-kind.ts';
import type { Scenario, Step } from '../../play/scenario.ts';
import { otherwiseOf, sampleOf } from '../../samples/objects.ts';
import { inShares, interleaved } from '../interleave.ts';
import { KindStory, Story } from '../story.ts';
import { podActions, tokenActions } from './actions.ts';
import { backendScenarios } from './backends.ts';
import { beheld } from './beheld.ts';
import { connections } from './connections.ts';
import { constructScenarios } from './constructs.ts';
import { decisions } from './decisions.ts';
import { definitionScenarios } from './definitions.ts';
import { equivalentScenarios } from './equivalents.ts';
import { flows } from './flows.ts';
import { heldScenario } from './held.ts';
import { hookScenario } from './hooks.ts';
import { converted, general, hooksAt, particular, type Tour } from './kind-tours.ts';
import { relationScenarios } from './relations.ts';
import { authors, inBlocks, reviewScenarios } from './reviews.ts';
import { packed, sizes } from './sizes.ts';
import { states } from './states.ts';
import { connecting, subresource } from './subresources.ts';
import { sweepScenarios } from './sweeps.ts';
import { trustScenarios } from './trust.ts';
import { twoKeysScenario } from './two-keys.ts';
import { betweenVersions, isSecondVersion, otherVersionsOf } from './versions.ts';

/** Pods are refused in a namespace without it, and no controller may be there to make it. */
const defaultAccount: Step = {
  id: 'account',
  what: 'create serviceaccounts',
  method: 'POST',
  path: '/api/v1/namespaces/<own>-1/serviceaccounts',
  body: { json: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } } },
};

export const prepareFor = (kinds: readonly OracleKind[]): readonly Step[] =>
  kinds.some(({ kind }) => kind === 'Pod')
    ? [defaultAccount, { ...defaultAccount, id: 'account2', path: defaultAccount.path.replace('-1', '-2') }]
    : [];

/** Kinds that live, so that there is something to tell. */
export const isTourable = (kind: OracleKind): boolean =>
  ['create', 'get', 'list', 'update', 'delete'].every((verb) => kind.verbs.includes(verb)) &&
  sampleOf(kind) !== undefined;

/** Kinds that documents and clients speak of most, one of each scope and group among them: they come first. */
const foremost: readonly string[] = [
  'ConfigMap',
  'Secret',
  'Pod',
  'Namespace',
  'Deployment',
  'Job',
  'Ingress',
  'EndpointSlice',
  'Role',
  'Event',
  'CertificateSigningRequest',
  'Gauge',
  'Realm',
  'Service',
  'ClusterRole',
  'CustomResourceDefinition',
];

/**
 * How much of the first steps each is meant to be. What is the same for all kinds is most of what a server does, and there
 * is least of it: it is told before the kinds are.
 */
const shares = { each: 8, odd: 1, special: 7, little: 1 } as const;

/** Of which kinds more is particular than of others, and how many times as much. */
const muchToTell: Readonly<Record<string, number>> = { CustomResourceDefinition: 10, Role: 6, Pod: 3 };

/**
 * What each kind goes through, the foremost kinds first: there is rarely time for all. Each is told when it is asked for.
 * @param hooked with webhooks that are asked about it
 */
export function tourScenarios(kinds: readonly OracleKind[], hooked = false): Iterable<Scenario> {
  const living = kinds.filter(isTourable);
  const [early, late] = [
    living.filter(({ kind }) => foremost.includes(kind)),
    living.filter(({ kind }) => !foremost.includes(kind)),
  ];
  const ofHooks = (kind: OracleKind): Scenario[] => [hookScenario(kind, prepareFor([kind]))];
  const others = general.map((tour) => tourOf(tour.streams ? tour : { ...tour, tell: beheld(tour.name, tour.tell) }));
  if (hooked) others.splice(hooksAt, 0, ofHooks);
  // A namespaced kind has the most to tell, and other code may serve custom types.
  const sorts = [early.filter((kind) => kind.namespaced && !isCustom(kind)), early.filter(isCustom), early];
  const [first = [], ...next] = sorts.map((some) => inTurn(others, some).take(others.length));
  const alone = repeatsLast(early, late);
  const [odd = [], ...most] = particular.map(tourOf).map((tour) => alone.map((some) => told(some, tour)));
  const large = told(living, (kind) => (kind.kind === 'ConfigMap' ? [scenarioOf(kind, 'sizes', sizes)] : []));
  // What rights, types and certificates have by themselves is reached by nothing else: their groups come last in discovery.
  const own = [...early.toReversed(), ...late];
  const special = specialScenarios(own, { living, hooked });
  const doors = [...early, ...late].flatMap(doorsOf);
  const versions = told(living, (kind) => versionsOf(kind, living));
  const sweeps = sweepScenarios([...early, ...late], prepareFor);
  // One request tries as many expressions or formats as a type has fields: no other work finds as much as soon.
  const dense = living.some(({ kind }) => kind === 'CustomResourceDefinition') ? constructScenarios : [];
  const [oddEarly = [], oddLate = []] = odd;
  // Each tour once, what is odd of each kind, what is about none, a little of every kind, each door once; then all of each kind.
  return once([
    inShares([
      { share: shares.each, scenarios: first },
      { share: shares.odd, scenarios: oneAfterOther([oddEarly, oddLate]) },
      { share: shares.special, scenarios: special },
      { share: shares.little, scenarios: sweeps },
      { share: shares.little, scenarios: dense },
      { share: shares.little, scenarios: told(doors.filter(isFirstOfName), throughDoor) },
    ]),
    interleaved([
      ...next,
      ...most.map((some) => oneAfterOther(some)),
      told(doors, throughDoor),
      versions,
      ...[early, late].map((some) => inTurn(others, some)),
      large,
    ]),
  ]);
}

/** What there is to tell of each, when it is asked for. */
function* told<T>(all: readonly T[], tell: (one: T) => readonly Scenario[]): Generator<Scenario> {
  for (const one of all) yield* tell(one);
}

/** One source after the other. */
function* oneAfterOther(sources: readonly Iterable<Scenario>[]): Generator<Scenario> {
  for (const source of sources) yield* source;
}

/** Kinds of which an earlier one is tried in the same ways come after all others. */
function repeatsLast(
  early: readonly OracleKind[],
  late: readonly OracleKind[],
): readonly [readonly OracleKind[], readonly OracleKind[]] {
  const ways = new Set<unknown>();
  const repeats = new Set<OracleKind>();
  for (const kind of [...early, ...late]) {
    const way = otherwiseOf(kind) ?? kind;
    if (ways.has(way)) repeats.add(kind);
    ways.add(way);
  }
  const isFresh = (kind: OracleKind): boolean => !repeats.has(kind);
  // Other code may serve custom types: it is not to be the last that is looked at.
  const first = [...early.filter(isCustom), ...early.filter((kind) => !isCustom(kind))];
  return [first.filter(isFresh), [...late.filter(isFresh), ...repeats]];
}

/** Those of the same name are the same. */
function* once(sources: readonly Iterable<Scenario>[]): Generator<Scenario> {
  const names = new Set<string>();
  for (const scenario of oneAfterOther(sources)) {
    if (names.has(scenario.name)) continue;
    names.add(scenario.name);
    yield scenario;
  }
}

/** A subresource of a kind that can be written. */
interface Door {
  readonly kind: OracleKind;
  readonly name: string;
}

/** Whether no door of that name, `status` or `scale`, came before. */
const isFirstOfName = ({ name }: Door, at: number, all: readonly Door[]): boolean =>
  all.findIndex((other) => other.name === name) === at;

/** Nothing where there is nothing to tell of a kind. */
const tourOf =
  ({ name, tell }: Tour): TourOfKind =>
  (kind) =>
    [scenarioOf(kind, name, tell)].filter(({ steps }) => steps.filter(({ watch }) => !watch).length > 1);

/** What is below a kind that can be written. */
const doorsOf = (kind: OracleKind): readonly Door[] =>
  kind.subresources
    .filter(({ name, verbs }) => !connecting.has(name) && verbs.includes('update'))
    .map(({ name }) => ({ kind, name }));

const throughDoor = ({ kind, name }: Door): readonly Scenario[] => [
  scenarioOf(
    kind,
    name,
    beheld(name, (at) => subresource(at, name)),
  ),
];

type TourOfKind = (kind: OracleKind) => readonly Scenario[];

/** Each tour once before any comes again, each time of another kind. */
function* inTurn(all: readonly TourOfKind[], kinds: readonly OracleKind[]): Generator<Scenario> {
  for (const round of kinds.keys())
    for (const [at, tour] of all.entries()) yield* tour(kinds[(at + round) % kinds.length] as OracleKind);
}

/** All kinds that live, and whether webhooks are asked: then what concerns all of a server is allowed. */
interface Company {
  readonly living: readonly OracleKind[];
  readonly hooked: boolean;
}

type Special = (kind: OracleKind, company: Company) => readonly Scenario[];

/** What only one kind has, and what stands with it. */
const specials: Readonly<Record<string, Special>> = {
  Service: (kind) => [scenarioOf(kind, 'states', states), scenarioOf(kind, 'connections', connections)],
  Pod: (kind) => [
    scenarioOf(kind, 'binding and eviction', podActions),
    scenarioOf(kind, 'states', states),
    scenarioOf(kind, 'connections', connections),
  ],
  ServiceAccount: (kind) => [scenarioOf(kind, 'tokens', tokenActions)],
  ConfigMap: (kind, { hooked }) => [scenarioOf(kind, 'states', states), ...(hooked ? [hookScenario(kind, [])] : [])],
  Secret: (kind) => [scenarioOf(kind, 'packed answers', packed)],
  // Of its versions one is enough.
  FlowSchema: (kind, { living }) =>
    living.find((other) => other.kind === kind.kind) === kind ? [scenarioOf(kind, 'flows', flows)] : [],
  Role: () => trustScenarios.Role,
  ClusterRole: () => [heldScenario()],
  CertificateSigningRequest: (kind) => [
    scenarioOf(kind, 'authors', authors),
    scenarioOf(kind, 'blocks', inBlocks),
    ...trustScenarios.CertificateSigningRequest,
    ...reviewScenarios,
    scenarioOf(kind, 'decisions', decisions),
  ],
  APIService: (_, { hooked }) => (hooked ? backendScenarios() : []),
  CustomResourceDefinition: (_, { hooked, living }) => [
    ...definitionScenarios(hooked),
    twoKeysScenario(),
    ...(hooked ? equivalentScenarios(living) : []),
  ],
};

/** Short scenarios of one kind do not wait for long ones of another. */
const specialScenarios = (kinds: readonly OracleKind[], company: Company): Iterable<Scenario> =>
  inShares(
    kinds.map((kind) => ({
      share: muchToTell[kind.kind] ?? 1,
      scenarios: told([kind], (one) => specialOf(one, company)),
    })),
  );

const specialOf: Special = (kind, company) => {
  const { living } = company;
  if (isSecondVersion(kind, living))
    return [
      ...versionsOf(kind, living),
      ...general.filter(({ name }) => converted.has(name)).flatMap((tour) => tourOf(tour)(kind)),
    ];
  const withPods = living.some((other) => other.kind === 'Pod');
  const own = specials[kind.kind]?.(kind, company) ?? [];
  // What becomes of types has an order of its own.
  return kind.kind === 'CustomResourceDefinition'
    ? own
    : shortFirst([...relationScenarios(kind.kind, withPods), ...own]);
};

const shortFirst = (all: readonly Scenario[]): readonly Scenario[] =>
  all.toSorted((one, other) => one.steps.length - other.steps.length);

function scenarioOf(kind: OracleKind, name: string, tell: (at: KindStory) => void): Scenario {
  const at = new KindStory(new Story(), kind);
  tell(at);
  return at.story.scenario(`${name} of ${at.label}`, 'sequences', 2, prepareFor([kind]));
}

/** The same object by each of the versions that it is served in. */
const versionsOf = (kind: OracleKind, all: readonly OracleKind[]): readonly Scenario[] =>
  otherVersionsOf(kind, all).map((other) => {
    const name = `versions of ${labelOf(kind)} and ${labelOf(other)}`;
    return betweenVersions(kind, other).scenario(name, 'sequences', 2, prepareFor([kind]));
  });
