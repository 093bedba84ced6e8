import { heldFrom } from '../../holds-for.ts';
import type { Answer } from '../../verbs/client.ts';
import { type Collection, markLabel } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { merged } from '../../verbs/merged.ts';
import { nameOf } from '../../verbs/states.ts';
import { changeOf, named, type Subject } from '../../verbs/subjects.ts';
import { configure, type Respond, requestsOf } from '../../verbs/webhooks.ts';
import { allWrites, unversioned, type Write, type WriteParts } from '../requests/writes.ts';

/** Where nobody else writes, and one of each sort: with subresources of their own, custom ones, and those of no namespace. */
export const reviewedKinds = named(
  'secrets',
  'ingresses',
  'pods',
  'widgets',
  'clusterroles',
  'certificatesigningrequests',
);

/** One way to write with what a webhook was sent for it: for its dry run, and in earnest. */
export interface ReviewedWrite {
  readonly write: Write;
  /** As it was before. */
  readonly object: Json;
  readonly tried: readonly Json[];
  readonly done: readonly Json[];
  readonly answer: Answer;
}

/** What stands for an object of no namespace has no label by which a webhook could select it. */
const heard = (kind: Subject, { fits, sub }: Write): boolean => fits(kind) && (kind.namespaced || sub !== 'scale');

/** Patches that differ in nothing but their language; one kind is enough for all of them. */
const alike = ['JSON patch', 'strategic merge patch', 'json status', 'json approval', 'merge approval', 'merge scale'];

/** @param version of the server: without one, those of every version */
export const heardWrites = (kind: Subject, version = ''): readonly Write[] =>
  allWrites
    .filter(({ holds = {} }) => !heldFrom(holds, version))
    .filter((write) => heard(kind, write) && (kind.name === 'secrets' || !alike.includes(write.name)));

const applyWrite = allWrites.find(({ name }) => name === 'apply') as Write;

/** An apply of what is not there yet makes it. */
const makingApply: Write = {
  ...applyWrite,
  name: 'apply of what is missing',
  verb: 'create',
  async send(parts) {
    const object = await parts.objects.draft();
    return applyWrite.send({ ...parts, object, kind: { ...parts.kind, change: () => object } });
  },
};

const overstating = (name: string, verb: Write['verb'], sub: string, send: Write['send']): Write => ({
  ...{ name, verb, sub, send },
  shows: true,
  fits: ({ status }) => status !== undefined,
});

/** The object with another status, and with all else changed as well. */
const allChanged = ({ kind, object }: WriteParts): Json =>
  unversioned(kind, merged(object, merged(changeOf(kind, 2), kind.status?.(2) ?? {})));

/** Writes that say as well what is for another one to say, and comes to nothing. */
export const overstated: readonly Write[] = [
  overstating('create with a status', 'create', '', async ({ objects, kind }) =>
    objects.post(merged(await objects.draft(), kind.status?.(1) ?? {})),
  ),
  overstating('update with a status', 'update', '', (parts) => parts.objects.put(allChanged(parts))),
  overstating('status with all else', 'update', 'status', (parts) =>
    parts.objects.put(allChanged(parts), {}, { sub: 'status', name: nameOf(parts.object) }),
  ),
];

/** Webhooks, one for each way to answer, that hear of every write of the cell's objects, and of nobody else's. */
export async function hookOnWrites(
  context: RuleContext & { readonly objects: Collection },
  kind: Subject,
  type: 'mutating' | 'validating',
  ...responds: readonly Respond[]
): Promise<() => Json[]> {
  const { objects } = context;
  const { metadata } = await objects.draft();
  const { group, version, resource } = objects.at;
  const rules = [
    {
      apiGroups: [group],
      apiVersions: [version],
      resources: [resource, `${resource}/*`],
      operations: ['CREATE', 'UPDATE', 'DELETE'],
    },
  ];
  const objectSelector = { matchLabels: { [markLabel]: metadata.labels[markLabel] } };
  const over = { rules, ...(kind.namespaced ? {} : { namespaceSelector: {}, objectSelector }) };
  const { hooks } = await configure(
    context,
    type,
    responds.length > 0 ? responds.map((respond) => ({ over, respond })) : [{ over }],
  );
  return () => hooks.flatMap(requestsOf);
}

/** The ways to try a write: a delete is a dry run by its body as well. */
function tries({ verb, send }: Write, parts: WriteParts): readonly (() => Promise<Answer>)[] {
  const { objects, object } = parts;
  const inQuery = (): Promise<Answer> => send({ ...parts, query: { dryRun: 'All' } });
  const body = { apiVersion: 'v1', kind: 'DeleteOptions', dryRun: ['All'], propagationPolicy: 'Background' };
  if (verb === 'delete') return [inQuery, () => objects.delete(nameOf(object), { body })];
  return verb === 'deletecollection' ? [inQuery, () => objects.viewed('labels').deleteAll({ body })] : [inQuery];
}

/** Every write that there is for the kind, each on an object of its own, with what a webhook hears of it. */
export async function reviewedWrites(
  context: RuleContext & { readonly objects: Collection },
  kind: Subject,
  type: 'mutating' | 'validating',
): Promise<readonly ReviewedWrite[]> {
  const { objects, version } = context;
  const received = await hookOnWrites(context, kind, type);
  const since = async (act: () => Promise<Answer>, sub: string) => {
    const before = received().length;
    const answer = await act();
    const reviews = received().slice(before);
    return { answer, reviews: reviews.filter((request) => (request?.subResource ?? '') === sub) };
  };
  const writes: ReviewedWrite[] = [];
  for (const write of [...heardWrites(kind, version), makingApply]) {
    const object = await objects.create();
    const parts = { objects, object, kind };
    const tried: Json[] = [];
    for (const send of tries(write, parts)) tried.push(...(await since(send, write.sub)).reviews);
    const { answer, reviews: done } = await since(() => write.send(parts), write.sub);
    writes.push({ write, object, tried, done, answer });
    await objects.delete(nameOf(object), { query: { propagationPolicy: 'Background', gracePeriodSeconds: 0 } });
  }
  return writes;
}
