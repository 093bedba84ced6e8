import type { Authorizer, ResourceAction } from '../../authz/authorizer.ts';
import { cloneJson } from '../../base/clone.ts';
import type { KubeObject, ObjectMeta } from '../../base/kube-object.ts';
import { StatusError } from '../../base/status-error.ts';
import { carryOut } from '../../base/turns/work.ts';
import type { User } from '../../base/user.ts';
import { optionsFrom, parseFlags } from '../../options/command-line.ts';
import { storeLookup } from '../../registry/lookup.ts';
import { builtIns } from '../../registry/resources.ts';
import { MemoryStore } from '../../store/memory-store.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../admission.ts';
import { isAbout } from '../concern.ts';
import { admissionFlags } from '../flags.ts';
import type { AdmissionOptions } from '../options.ts';
import { followedKinds, followKinds, type PluginServices } from '../plugin-services.ts';
import { AdmissionTable } from '../table.ts';

/** An object as tests write it. */
export interface Sketch {
  readonly metadata?: ObjectMeta;
  readonly [field: string]: unknown;
}

/** What plugins work with, over a store of their own with frozen values. */
export interface PluginWorld extends PluginServices {
  readonly store: MemoryStore;
  /** Stores an object under `resource` or `resource.group`, with a uid and a creation time. */
  put(resource: string, object: Sketch): Promise<KubeObject>;
  remove(resource: string, namespace: string, name: string): Promise<void>;
  /** What was asked of the authorizer. */
  readonly asked: ResourceAction[];
  /** Names of signers, or verbs, that the authorizer allows. */
  readonly allowed: Set<string>;
}

/** Those of a server without flags. */
export const defaultAdmissionOptions = optionsFrom(parseFlags(admissionFlags, [])) as unknown as AdmissionOptions;

export const bob: User = { name: 'bob', uid: '', groups: ['system:authenticated'], extra: {} };

export async function pluginWorld(more: Partial<Omit<PluginServices, 'store'>> = {}): Promise<PluginWorld> {
  const store = new MemoryStore({ freeze: true });
  const followed = followedKinds();
  await followKinds(followed, store);
  const asked: ResourceAction[] = [];
  const allowed = new Set<string>();
  const authorizer: Authorizer = {
    authorize(_user, action) {
      if (action.type !== 'resource') return { decision: 'no opinion', reason: '' };
      asked.push(action);
      const name = `${action.verb} ${action.resource}${action.subresource && `/${action.subresource}`} ${action.name}`;
      return { decision: allowed.has(name) ? 'allow' : 'no opinion', reason: 'nobody said so' };
    },
  };
  let made = 0;
  return {
    store,
    followed,
    authorizer,
    asked,
    allowed,
    options: defaultAdmissionOptions,
    lookup: storeLookup(store),
    clock: { now: () => Date.UTC(2022, 7, 23) },
    ids: { uid: () => `uid-${++made}`, suffix: (length) => String(++made).padStart(length, 'x') },
    resources: { all: () => builtIns([])[Symbol.iterator]() as never },
    configurations: new Map(),
    async put(resource, object) {
      const { name = '', namespace = '', ...metadata } = object.metadata ?? {};
      const time = new Date(Date.UTC(2022, 7, 23, 0, 0, ++made)).toISOString().replace('.000', '');
      const value = cloneJson({
        kind: 'Any',
        apiVersion: 'v1',
        ...object,
        metadata: { uid: `uid-${made}`, creationTimestamp: time, name, ...(namespace && { namespace }), ...metadata },
      }) as KubeObject;
      const stored = await store.create(keyOf(resource, namespace, name), value);
      return stored.value;
    },
    async remove(resource, namespace, name) {
      await store.update(keyOf(resource, namespace, name), () => ({ remove: true }));
    },
    ...more,
  };
}

function keyOf(resource: string, namespace: string, name: string): string {
  const [plural = '', ...group] = resource.split('.');
  return `${group.join('.')}/${plural}/${namespace}/${name}`;
}

/** A write of an object as admission sees it: a create, or an update when there is an `oldObject`. */
export function attributesFor(
  resource: string,
  sketch: Sketch,
  more: Partial<AdmissionAttributes> = {},
): AdmissionAttributes {
  const [plural = '', ...groups] = resource.split('.');
  const group = groups.join('.');
  const object = cloneJson({ kind: 'Any', apiVersion: 'v1', metadata: {}, ...sketch }) as KubeObject;
  return {
    operation: more.oldObject ? 'UPDATE' : 'CREATE',
    kind: { group, version: 'v1', kind: 'Any' },
    resource: { group, version: 'v1', resource: plural },
    subresource: '',
    namespace: object.metadata.namespace ?? 'ns',
    name: object.metadata.name ?? '',
    user: bob,
    dryRun: false,
    options: () => undefined,
    object,
    oldObject: undefined,
    warn: () => {},
    annotate: () => {},
    onAbandon: () => {},
    ...more,
    ...(more.oldObject && { oldObject: { ...more.oldObject, metadata: more.oldObject.metadata ?? {} } }),
  };
}

/** Whether a plugin is asked about a write. */
export const caresAbout = (
  plugin: AdmissionPlugin,
  { operation, resource, subresource }: AdmissionAttributes,
): boolean =>
  plugin.cares.some((concern) =>
    isAbout(concern, { operation, group: resource.group, resource: resource.resource, subresource }),
  );

/** What became of a write that one plugin judged. */
export interface Outcome {
  readonly object: KubeObject | undefined;
  /** Undefined when it was admitted. */
  readonly refusal: StatusError['status'] | undefined;
  readonly warnings: readonly string[];
  readonly annotations: Readonly<Record<string, string>>;
}

/** Lets the plugin change and then judge a write. */
export async function admitted(plugin: AdmissionPlugin, given: AdmissionAttributes): Promise<Outcome> {
  const warnings: string[] = [];
  const annotations: Record<string, string> = {};
  const attributes: AdmissionAttributes = {
    ...given,
    warn: (text) => warnings.push(text),
    annotate: (key, value) => {
      annotations[key] = value;
    },
  };
  let refusal: StatusError['status'] | undefined;
  try {
    const passes = new AdmissionTable([plugin]).passes(
      attributes.operation,
      { group: attributes.resource.group, plural: attributes.resource.resource },
      attributes.subresource,
    );
    if (passes.mutates) await carryOut(passes.mutate(attributes));
    if (passes.validates) await carryOut(passes.validate(attributes));
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    refusal = error.status;
  }
  return { object: attributes.object, refusal, warnings, annotations };
}
