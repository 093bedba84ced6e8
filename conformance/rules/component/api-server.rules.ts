import { keepsStatusApart } from '../../checks/custom/apart-status.ts';
import { fillsAnew } from '../../checks/custom/changed-types.ts';
import { expressions } from '../../checks/custom/custom-expressions.ts';
import { judgesCustom, specChanges } from '../../checks/custom/judged-custom.ts';
import { madeValues } from '../../checks/custom/made-values.ts';
import { judgesByVersion } from '../../checks/custom/own-schemas.ts';
import { judgesRules } from '../../checks/custom/ruled-custom.ts';
import { judgesShapes, shapes } from '../../checks/custom/shaped-custom.ts';
import { countedKinds, countsFurther, countsTemplates } from '../../checks/kinds/counted-kinds.ts';
import { filledKinds, fillsKind } from '../../checks/kinds/filled-objects.ts';
import { countingKinds, countsGenerations, countsInVersions, countsWhole } from '../../checks/kinds/generations.ts';
import {
  keepsOtherStatus,
  keepsStatus,
  keepsStatusOfDefinitions,
  otherKinds,
  statusKinds,
} from '../../checks/kinds/kept-status.ts';
import { keepsNameLabel, keepsOwnersBesideStatus } from '../../checks/kinds/lasting-metadata.ts';
import { spellsAmounts } from '../../checks/kinds/spelt-amounts.ts';
import { keepsOwnersOnce, ownedKinds } from '../../checks/life/repeated-owners.ts';
import { keepsAddedContainers } from '../../checks/pods/added-containers.ts';
import { allocates } from '../../checks/pods/allocated-services.ts';
import { staysWhereItBegan } from '../../checks/pods/begun-jobs.ts';
import { bindsPods } from '../../checks/pods/bound-pods.ts';
import { changesPods } from '../../checks/pods/changed-pods.ts';
import { changesServices } from '../../checks/pods/changed-services.ts';
import { judgesEnds } from '../../checks/pods/ended-containers.ts';
import { judgesSize, takesLong } from '../../checks/requests/too-large.ts';
import { judgesDefinitions, judgesRuleDefinitions } from '../../checks/unfit/judged-definitions.ts';
import { changed, judgesKind } from '../../checks/unfit/judged-objects.ts';
import { judgesMetadata } from '../../checks/unfit/metadata.ts';
import { judgedKinds } from '../../checks/unfit/objects.ts';
import { judgesFlowStatuses, judgesPodStatus, judgesStatuses } from '../../checks/unfit/statuses.ts';
import { defineRule } from '../../rule.ts';
import { acceptsInvalid, changesRefused } from '../../sabotage/careless.ts';
import { answerStatus, redirectPath, removeIn, replaceIn } from '../../sabotage/transforms.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { customType } from '../../verbs/custom-types.ts';
import type { Json } from '../../verbs/json.ts';
import { kindPaths } from '../../verbs/kinds.ts';
import { named } from '../../verbs/subjects.ts';

const text = { type: 'string' };

/** Defaults at every depth; null is replaced where it is not allowed. */
const defaulted = {
  spec: {
    type: 'object',
    default: {},
    properties: {
      colour: { ...text, default: 'red' },
      note: { ...text, default: 'none', nullable: true },
      empty: { ...text, default: '' },
      shown: { type: 'boolean', default: false },
      times: { type: 'integer', default: 0 },
      list: { type: 'array', default: [], items: text },
      inner: { type: 'object', default: {}, properties: { size: { type: 'integer', default: 7 } } },
      parts: {
        type: 'array',
        items: { type: 'object', required: ['kind'], properties: { name: text, kind: { ...text, default: 'plain' } } },
      },
    },
  },
};

const filled = { colour: 'red', note: 'none', empty: '', shown: false, times: 0, list: [], inner: { size: 7 } };

/** What is sent as spec, and what is shown then. */
const specs: readonly (readonly [Json, Json])[] = [
  [{}, filled],
  [
    { colour: 'blue', inner: {} },
    { ...filled, colour: 'blue' },
  ],
  [
    { note: null, inner: { size: 0 } },
    { ...filled, note: null, inner: { size: 0 } },
  ],
  [{ colour: null, inner: { size: null } }, filled],
  [
    { parts: [{ name: 'a' }, { kind: 'other' }, { kind: null }] },
    { ...filled, parts: [{ name: 'a', kind: 'plain' }, { kind: 'other' }, { kind: 'plain' }] },
  ],
];

async function fillsCustom(context: RuleContext): Promise<void> {
  const { expect } = context;
  const things = await customType(context, defaulted);
  for (const [spec, shown] of specs) {
    const made = await things.post({ ...things.sample(), spec });
    expect(made.body?.spec, `${JSON.stringify(spec)} by create`).toEqual(shown);
    for (const write of ['update', 'JSON patch'] as const) {
      const object = await things.create({ spec: { colour: 'green', note: 'some', parts: [] } });
      const answer = await specChanges(things, object, spec)[write]?.();
      expect(answer?.body?.spec, `${JSON.stringify(spec)} by ${write}`).toEqual(shown);
      expect((await things.read(object.metadata.name)).spec, 'as stored').toEqual(shown);
    }
  }
}

/** Kinds that count their generations, each with a change that is none of the generation alone. */
const counting = ['deployments', 'jobs', 'ingresses', 'networkPolicies', 'endpointSlices'] as const;

/** What belongs to the server is as it says, whatever a new object or a change says of it. */
async function keepsItsOwn(context: RuleContext, objects: Collection): Promise<void> {
  const { expect } = context;
  const [generation, selfLink] = [99, '/nowhere'];
  // No version is none of another object.
  const made = await objects.create({ metadata: { generation, selfLink, resourceVersion: '0' } });
  expect(made.metadata.generation, 'of a new object').toBe(1);
  const { name } = made.metadata;
  const said = { metadata: { generation, selfLink } };
  const writes = {
    update: () => changed(objects, name, said),
    'merge patch': () => objects.patch(name, said),
    'JSON patch': () =>
      objects.patch(name, [{ op: 'replace', path: '/metadata/generation', value: generation }], { type: 'json' }),
  };
  for (const [write, send] of Object.entries(writes)) {
    expect((await send()).status, write).toBe(200);
    const { metadata } = await objects.read(name);
    expect(metadata.selfLink, `an address that a client made up, after a ${write}`).not.toBe(selfLink);
    for (const field of ['generation', 'uid', 'creationTimestamp'])
      expect(metadata[field], `${field} after a ${write}`).toBe(made.metadata[field]);
  }
}

const keeping = { deployments: { paused: true, replicas: 0 }, jobs: { suspend: true } } as Readonly<
  Record<string, Json>
>;

/** Defaults of a built-in kind, or of a custom one, and what the server keeps for itself. */
const configured = [
  ...filledKinds.map((kind) => ({ ...kind, check: (context: RuleContext) => fillsKind(context, kind) })),
  { name: 'a custom type', needs: ['crd'] as const, check: fillsCustom },
  {
    ...{ name: 'a custom type that gets a default', needs: ['crd'] as const, holds: { from: 25 } },
    check: fillsAnew,
  },
  ...counting.map((kind) => ({
    name: `the generation of ${kindPaths[kind].resource}`,
    check: (context: RuleContext) =>
      keepsItsOwn(context, context[kind].with({ base: keeping[kind] ? { spec: keeping[kind] } : {} })),
  })),
  ...countingKinds.map((kind) => ({
    ...{ name: `the generations of ${kind.name}`, needs: kind.needs, holds: { from: 24 } },
    check: (context: RuleContext) => countsGenerations(context, kind),
  })),
  ...countedKinds.map((kind) => ({
    ...{ name: `the generations of ${kind.name}`, holds: { from: 24, ...kind.holds } },
    check: (context: RuleContext) => countsFurther(context, kind),
  })),
  { name: 'the generations of the pods of daemonsets', holds: { from: 24 }, check: countsTemplates },
  ...statusKinds.map((kind) => ({
    ...{ name: `the status of ${kind.name}`, needs: kind.needs },
    check: (context: RuleContext) => keepsStatus(context, kind),
  })),
  ...ownedKinds.map((kind) => ({
    ...{ name: `the owners of ${kind.name}`, needs: kind.needs },
    check: (context: RuleContext) => keepsOwnersOnce(context, kind),
  })),
  { name: 'amounts', check: spellsAmounts },
  { name: 'what Services have of the cluster', holds: { from: 22 }, check: allocates },
  { name: 'what Services give up of it', holds: { from: 25 }, check: changesServices },
  { name: 'the label of a namespace that tells its name', holds: { from: 22 }, check: keepsNameLabel },
  { name: 'the owners of a pod beside its status', needs: ['pods'] as const, check: keepsOwnersBesideStatus },
  { name: 'pods that are bound', needs: ['pods'] as const, holds: { from: 24 }, check: bindsPods },
  ...otherKinds.map((kind) => ({
    name: `the status of ${kind.at.resource}`,
    check: (context: RuleContext) => keepsOtherStatus(context, kind),
  })),
  { name: 'the status of definitions', needs: ['crd'] as const, check: keepsStatusOfDefinitions },
  { name: 'a status beside other members', needs: ['crd'] as const, check: keepsStatusApart },
  {
    name: 'the generation of a custom type',
    needs: ['crd'] as const,
    async check(context: RuleContext) {
      await keepsItsOwn(context, await customType(context, defaulted));
      await countsWhole(context);
      await countsInVersions(context);
    },
  },
];

/** Kinds of either scope, whose metadata is judged. */
const described = named('secrets', 'ingresses', 'roles', 'ingressclasses', 'widgets', 'gadgets').map((kind) => ({
  ...{ name: `the metadata of ${kind.name}`, needs: kind.needs },
  judge: (context: RuleContext) => judgesMetadata(context, kind),
}));

export default [
  // Objects are checked before they are stored.
  defineRule('component.api-server.validates', {
    matrix: {
      of: [
        ...judgedKinds,
        { name: 'a custom type', needs: ['crd'], judge: judgesCustom },
        {
          ...{ name: 'every construct of a custom type', needs: ['crd'] as const },
          judge: (context: RuleContext) => judgesShapes(context, shapes),
        },
        {
          ...{ name: 'every expression of a custom type', needs: ['crd'] as const, holds: { from: 25 } },
          judge: (context: RuleContext) => judgesShapes(context, expressions),
        },
        {
          ...{ name: 'what expressions make of values', needs: ['crd'] as const, holds: { from: 25 } },
          judge: (context: RuleContext) => judgesShapes(context, madeValues),
        },
        { name: 'the versions of a custom type', needs: ['crd'], judge: judgesByVersion },
        { name: 'the rules of a custom type', needs: ['crd'], holds: { from: 25 }, judge: judgesRules },
        { name: 'the definition of a custom type', needs: ['crd'], judge: judgesDefinitions },
        { name: 'the definition of its rules', needs: ['crd'], holds: { from: 25 }, judge: judgesRuleDefinitions },
        ...described,
        {
          ...{ name: 'containers that are added to a pod', needs: ['pods'] as const, holds: { from: 23 } },
          judge: keepsAddedContainers,
        },
        { name: 'what a pod becomes', needs: ['pods'], holds: { from: 22 }, judge: changesPods },
        { name: 'containers that have ended', needs: ['pods'], judge: judgesEnds },
        { name: 'jobs that wait again', holds: { from: 23 }, judge: staysWhereItBegan },
        { name: 'what a status counts', holds: { from: 23 }, judge: judgesStatuses },
        { name: 'what is told of flows', holds: { from: 23, to: 28 }, judge: judgesFlowStatuses },
        { name: 'what a pod tells', needs: ['pods'], holds: { from: 23 }, judge: judgesPodStatus },
        { name: 'what is too large', judge: judgesSize },
        { name: 'what is almost too large', judge: takesLong },
      ],
    },
    sabotage: [
      answerStatus(201, { method: 'POST', path: /\/(secrets|jobs)$/, instead: 422 }),
      acceptsInvalid({ method: 'PUT', path: /\/poddisruptionbudgets\// }),
      acceptsInvalid({ method: 'PATCH', path: /touchstone\.example/ }),
      acceptsInvalid({ method: 'PUT', path: /\/status$/ }),
      changesRefused({ method: 'PATCH', path: /\/status$/, body: /un fit/ }),
      acceptsInvalid({ method: 'PUT', path: /\/customresourcedefinitions\// }),
      acceptsInvalid({ method: 'PATCH', path: /\/roles\// }),
      acceptsInvalid({ method: 'PATCH', path: /\/ephemeralcontainers$/ }),
      answerStatus(200, { method: 'PATCH', path: /\/secrets\//, instead: 413 }),
    ],
    check: (context, { of }) => ('judge' in of ? of.judge(context) : judgesKind(context, of)),
  }),

  // Defaults and the fields that belong to the server are filled in before an object is stored.
  defineRule('component.api-server.configures', {
    matrix: { of: configured },
    sabotage: [
      removeIn('spec.backoffLimit'),
      removeIn('spec.policyTypes', { method: 'GET', path: /\/networkpolicies\// }),
      removeIn('spec.parts.*.kind', { path: /touchstone\.example/ }),
      replaceIn('metadata.generation', { method: 'GET', path: /\/deployments\// }),
      removeIn('spec.ports.*.nodePort', { method: 'POST', path: /\/services$/ }),
      removeIn('metadata.ownerReferences', { method: 'PATCH', path: /\/clusterroles\// }),
      answerStatus(201, { method: 'POST', path: /\/binding$/, instead: 400 }),
      redirectPath(/(touchstone\.example)\/v2\//, '$1/v1/', { method: 'GET', header: { accept: /as=Table/ } }),
      redirectPath(/(\/ingresses\/[^/]+)$/, '$1/status', { method: 'PATCH' }),
      redirectPath(/^(\/api\/v1\/namespaces\/[^/]+)$/, '$1/status', { method: 'PATCH' }),
    ],
    check: (context, { of }) => of.check(context),
  }),
];
