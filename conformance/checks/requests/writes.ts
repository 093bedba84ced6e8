import type { MinorRange } from '../../holds-for.ts';
import type { Answer, Json, Query } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import { apiVersionOf } from '../../verbs/kinds.ts';
import { merged } from '../../verbs/merged.ts';
import type { PatchType } from '../../verbs/patch-types.ts';
import { changeOf, type Subject } from '../../verbs/subjects.ts';
import { bindingOf, evicting, evictionOf } from '../pods/pod-requests.ts';

/** What a write is tried on. */
export interface WriteParts {
  readonly objects: Collection;
  readonly kind: Subject;
  /** As it was last read. */
  readonly object: Json;
  readonly query?: Query;
  /** Such as the form that the answer is to have. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Each gives other values. */
  readonly round?: number;
}

/** One way to change something, as general rules range over it. */
export interface Write {
  readonly name: string;
  /** As authorization knows it. */
  readonly verb: 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';
  readonly sub: string;
  /** The answer shows what is stored then: an object of the kind. */
  readonly shows: boolean;
  readonly fits: (kind: Subject) => boolean;
  /** The versions that know it. */
  readonly holds?: MinorRange;
  readonly send: (parts: WriteParts) => Promise<Answer>;
}

const always = (): boolean => true;
const named =
  (...names: readonly string[]) =>
  ({ name }: Subject): boolean =>
    names.includes(name);
const changed = ({ kind, round = 1 }: WriteParts): Json => changeOf(kind, round);
const manager = { fieldManager: 'touchstone-writer' };

/** Where others write as well, a version that was read may be old by now. */
export const unversioned = (kind: Subject, object: Json): Json =>
  kind.busy ? { ...object, metadata: { ...object.metadata, resourceVersion: undefined } } : object;

/** The operations that have the effect of a merge patch without nulls. */
export const operations = (object: Json, change: Json): Json[] =>
  Object.keys(change).map((key) => ({ op: 'add', path: `/${key}`, value: merged(object[key] ?? {}, change[key]) }));

const headersOf = ({ headers }: WriteParts): { readonly headers?: Readonly<Record<string, string>> } =>
  headers ? { headers } : {};

const patchWrite = (name: string, type: PatchType, fits: Write['fits'], body: (parts: WriteParts) => Json): Write => ({
  name,
  verb: 'patch',
  sub: '',
  shows: true,
  fits,
  send: (parts) =>
    parts.objects.patch(parts.object.metadata.name, body(parts), {
      ...headersOf(parts),
      type,
      query: { ...manager, ...parts.query },
    }),
});

const applied = ({ objects: { at }, object }: WriteParts, change: Json): Json =>
  merged({ apiVersion: apiVersionOf(at), kind: at.kind, metadata: { name: object.metadata.name } }, change);

/** The writes of an object itself. */
export const mainWrites: readonly Write[] = [
  {
    name: 'create',
    verb: 'create',
    sub: '',
    shows: true,
    fits: always,
    send: async (parts) => parts.objects.post(await parts.objects.draft(), parts.query, headersOf(parts)),
  },
  {
    name: 'update',
    verb: 'update',
    sub: '',
    shows: true,
    fits: always,
    send: (parts) => {
      const next = merged(parts.object, changed(parts));
      return parts.objects.put(unversioned(parts.kind, next), parts.query, headersOf(parts));
    },
  },
  patchWrite('merge patch', 'merge', always, changed),
  patchWrite('JSON patch', 'json', always, (parts) =>
    operations(unversioned(parts.kind, parts.object), changed(parts)),
  ),
  patchWrite('strategic merge patch', 'strategic', ({ custom }) => !custom, changed),
  {
    ...patchWrite('apply', 'apply', always, (parts) => applied(parts, changed(parts))),
    send: (parts) =>
      parts.objects.patch(parts.object.metadata.name, applied(parts, changed(parts)), {
        ...headersOf(parts),
        type: 'apply',
        query: { ...manager, force: 'true', ...parts.query },
      }),
  },
  {
    name: 'delete',
    verb: 'delete',
    sub: '',
    shows: false,
    fits: always,
    send: ({ objects, object, query, headers }) =>
      objects.delete(object.metadata.name, {
        ...(headers && { headers }),
        query: { ...query, propagationPolicy: 'Background' },
      }),
  },
  {
    name: 'deletecollection',
    verb: 'deletecollection',
    sub: '',
    shows: false,
    fits: ({ name }) => name !== 'namespaces',
    send: ({ objects, query, headers }) =>
      objects.viewed('labels').deleteAll({
        ...(headers && { headers }),
        query: { ...query, propagationPolicy: 'Background' },
      }),
  },
];

interface SubParts {
  readonly sub: string;
  readonly method: 'put' | 'post' | PatchType;
  readonly fits: Write['fits'];
  readonly shows?: boolean;
  readonly holds?: MinorRange;
  readonly body: (parts: WriteParts) => Json;
}

const subWrite = ({ sub, method, fits, shows = true, holds, body }: SubParts): Write => ({
  name: `${method} ${sub}`,
  verb: method === 'put' ? 'update' : method === 'post' ? 'create' : 'patch',
  sub,
  shows,
  fits,
  ...(holds && { holds }),
  send: (parts) => {
    const { objects, object, query = {} } = parts;
    const { name } = object.metadata;
    if (method === 'put') return objects.put(body(parts), query, { ...headersOf(parts), sub, name });
    if (method === 'post') return objects.postTo(name, sub, body(parts), query, headersOf(parts));
    const applying = method === 'apply' ? { ...manager, force: 'true' } : {};
    return objects.patch(name, body(parts), {
      ...headersOf(parts),
      type: method,
      sub,
      query: { ...applying, ...query },
    });
  },
});

const statusOf = ({ kind, round = 1 }: WriteParts): Json => kind.status?.(round) ?? {};
const withStatus = ({ status }: Subject): boolean => status !== undefined;
const scale = ({ kind, object, round = 1 }: WriteParts): Json => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: {
    name: object.metadata.name,
    namespace: object.metadata.namespace,
    ...(kind.busy ? {} : { resourceVersion: object.metadata.resourceVersion }),
  },
  spec: { replicas: round },
});
const scaled = named('deployments', 'widgets', 'gadgets');
/**
 * With the times that the server would fill in: the same write would be another one later. A request that was decided
 * long ago would be cleaned away.
 */
const denial = ({ metadata: { creationTimestamp: time } }: Json): Json => ({
  status: {
    conditions: [{ type: 'Denied', status: 'True', reason: 'Tried', lastUpdateTime: time, lastTransitionTime: time }],
  },
});

export const appliedStatus: Write = subWrite({
  sub: 'status',
  method: 'apply',
  // What is applied to the status of a signing request is dropped.
  fits: (kind) => withStatus(kind) && kind.name !== 'certificatesigningrequests',
  body: (parts) => applied(parts, statusOf(parts)),
});

/** The writes through subresources. */
export const subresourceWrites: readonly Write[] = [
  subWrite({
    sub: 'status',
    method: 'put',
    fits: withStatus,
    body: (parts) => merged(unversioned(parts.kind, parts.object), statusOf(parts)),
  }),
  subWrite({ sub: 'status', method: 'merge', fits: withStatus, body: statusOf }),
  subWrite({
    sub: 'status',
    method: 'json',
    fits: withStatus,
    body: (parts) => operations(parts.object, statusOf(parts)),
  }),
  appliedStatus,
  subWrite({ sub: 'scale', method: 'put', fits: scaled, shows: false, body: scale }),
  subWrite({
    sub: 'scale',
    method: 'merge',
    fits: scaled,
    shows: false,
    body: ({ round = 1 }) => ({ spec: { replicas: round } }),
  }),
  subWrite({
    sub: 'scale',
    method: 'json',
    fits: scaled,
    shows: false,
    body: ({ round = 1 }) => [{ op: 'add', path: '/spec/replicas', value: round }],
  }),
  subWrite({
    sub: 'scale',
    method: 'apply',
    // The Scale of a custom type cannot be applied.
    fits: named('deployments'),
    shows: false,
    body: (parts) => {
      const { resourceVersion: _, ...metadata } = scale(parts).metadata;
      return { ...scale(parts), metadata };
    },
  }),
  subWrite({
    sub: 'approval',
    method: 'put',
    fits: named('certificatesigningrequests'),
    body: ({ object }) => merged(object, denial(object)),
  }),
  subWrite({
    sub: 'approval',
    method: 'merge',
    fits: named('certificatesigningrequests'),
    body: ({ object }) => denial(object),
  }),
  subWrite({
    sub: 'approval',
    method: 'json',
    fits: named('certificatesigningrequests'),
    body: ({ object }) => operations(object, denial(object)),
  }),
  subWrite({
    sub: 'finalize',
    method: 'put',
    fits: named('namespaces'),
    body: ({ object }) => merged(object, { spec: { finalizers: ['kubernetes', 'example.com/one'] } }),
  }),
  subWrite({
    sub: 'eviction',
    method: 'post',
    fits: named('pods'),
    shows: false,
    holds: evicting,
    body: ({ object }) => evictionOf(object.metadata.name),
  }),
  subWrite({
    sub: 'binding',
    method: 'post',
    fits: named('pods'),
    shows: false,
    body: ({ object }) => bindingOf(object.metadata.name),
  }),
];

/** Whether it can say of which version it is made: a patch of something that stands for the object cannot. */
export const saysVersion = ({ verb, sub }: Write): boolean => verb === 'update' || sub === '' || sub === 'status';

/** A kind whose changes say this of its metadata as well, such as the version that they are made of. */
export function saying(kind: Subject, metadata: Json): Subject {
  const said = (change: (round: number) => Json) => (round: number) => merged(change(round), { metadata });
  return {
    ...kind,
    change: said((round) => changeOf(kind, round)),
    ...(kind.status && { status: said(kind.status) }),
  };
}

export const allWrites: readonly Write[] = [...mainWrites, ...subresourceWrites];

/** Those that change an object which is there and go on showing it. */
export const changingWrites = allWrites.filter(({ verb }) => verb === 'update' || verb === 'patch');

/** For the cells of a matrix with both axes. */
export const fits = ({ kind, write }: { readonly kind: Subject; readonly write: Write }): boolean => write.fits(kind);
