import type { Json, KubeObject, ManagedFieldsEntry } from '../../base/kube-object.ts';
import { carryOut } from '../../base/turns/work.ts';
import { checkStructure } from '../../schema/check.ts';
import { structureOfKind } from '../../schema/load.ts';
import type { StructType, Structure } from '../../schema/structure.ts';
import { mergePatch } from '../merge-patch.ts';
import { ApplyConflictError, PatchError } from '../patch-error.ts';
import { apply } from './apply.ts';
import type { FieldSet } from './field-set.ts';
import { sameOwnership, trackUpdate } from './track-update.ts';
import type { TrackedWrite } from './tracked-write.ts';

export interface StoryKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly structure: Structure;
  /** Brings what was written into the form in which it is stored, defaults included. */
  readonly settle: (object: { [key: string]: Json }) => { [key: string]: Json };
  readonly untracked?: (subresource: string) => FieldSet | undefined;
  readonly otherVersion?: TrackedWrite['otherVersion'];
}

interface Options {
  readonly subresource?: string;
  readonly force?: boolean;
}

export const builtIn = (apiVersion: string, kind: string): StoryKind => {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  const structure = structureOfKind(group, version, kind) as StructType;
  return {
    apiVersion,
    kind,
    structure,
    settle: (object) => checkStructure(object, structure, { mode: 'typed' }).value,
  };
};

/** One object, and those who write to it. Each write comes a second after the one before. */
export class Story {
  live: KubeObject | undefined;
  #now = Date.parse('2026-01-01T00:00:00Z');
  readonly #kind: StoryKind;

  constructor(kind: StoryKind = builtIn('v1', 'ConfigMap')) {
    this.#kind = kind;
  }

  #write(manager: string, { subresource = '' }: Options): TrackedWrite {
    const { structure, apiVersion, untracked, otherVersion } = this.#kind;
    this.#now += 1000;
    const left = untracked?.(subresource);
    return {
      structure,
      manager,
      apiVersion,
      subresource,
      now: this.#now,
      ...(left && { untracked: left }),
      ...(otherVersion && { otherVersion }),
    };
  }

  #settle(content: object): KubeObject {
    const { apiVersion, kind } = this.#kind;
    const { metadata, ...rest } = this.#kind.settle(structuredClone(content) as { [key: string]: Json });
    const own = metadata as Partial<KubeObject['metadata']> | undefined;
    const creationTimestamp = own?.creationTimestamp ?? '2024-01-01T00:00:00Z';
    const next = { ...rest, apiVersion, kind, metadata: { ...own, creationTimestamp, name: 'one', uid: 'u' } };
    return next as unknown as KubeObject;
  }

  #store(next: KubeObject, entries: readonly ManagedFieldsEntry[]): void {
    const before = this.live?.metadata.managedFields;
    const kept = before && sameOwnership(before, entries) && sameContent(this.live, next) ? before : entries;
    delete next.metadata.managedFields;
    if (kept.length > 0) next.metadata.managedFields = [...kept];
    this.live = next;
  }

  /** POST or PUT of the whole content. */
  async replace(manager: string, content: object, options: Options = {}): Promise<void> {
    const next = this.#settle(content);
    const live = this.live;
    this.#store(next, await carryOut(trackUpdate({ ...this.#write(manager, options), ...(live && { live }), next })));
  }

  /** A merge patch. */
  async patch(manager: string, patch: object, options: Options = {}): Promise<void> {
    await this.replace(manager, mergePatch(this.live as unknown as Json, patch as Json) as object, options);
  }

  async apply(manager: string, config: object, { force = false, ...options }: Options = {}): Promise<void> {
    const { apiVersion, kind } = this.#kind;
    const { live } = this;
    const request = {
      ...this.#write(manager, options),
      ...(live && { live }),
      config: { apiVersion, kind, ...structuredClone(config) },
      force,
    };
    const applied = await carryOut(apply(request));
    this.#store(this.#settle(applied.object), applied.managedFields);
  }

  /** The fields of the conflicts of an apply that fails, each with a description of its owner. */
  async conflicts(
    manager: string,
    config: object,
    options: Options = {},
  ): Promise<(readonly [field: string, owner: string])[]> {
    const error = await this.failure(() => this.apply(manager, config, options));
    if (!(error instanceof ApplyConflictError)) throw new Error(`expected a conflict, got ${error.message}`);
    return error.conflicts.map(({ field, owner }) => [field, owner] as const);
  }

  async failure(action: () => Promise<unknown>): Promise<PatchError> {
    const before = this.live;
    try {
      await action();
    } catch (error) {
      if (!(error instanceof PatchError)) throw error;
      if (this.live !== before) throw new Error('the object changed although the write failed');
      return error;
    }
    throw new Error('expected a failure');
  }

  get content(): { [key: string]: unknown } {
    return this.live as unknown as { [key: string]: unknown };
  }

  get entries(): readonly ManagedFieldsEntry[] {
    return this.live?.metadata.managedFields ?? [];
  }

  /** What each manager owns, as `name operation` or `name operation subresource`. */
  get owners(): Record<string, unknown> {
    return Object.fromEntries(
      this.entries.map(({ manager, operation, subresource, fieldsV1 }) => [
        [manager, operation, subresource].filter(Boolean).join(' '),
        fieldsV1,
      ]),
    );
  }

  timeOf(manager: string): string | undefined {
    return this.entries.find((entry) => entry.manager === manager)?.time;
  }
}

const sameContent = (a: KubeObject | undefined, b: KubeObject) => text(a) === text(b);
const text = (object: KubeObject | undefined) =>
  JSON.stringify(object, (key, value) => {
    if (key === 'managedFields') return undefined;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
  });
