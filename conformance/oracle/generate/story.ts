import type { Json } from '../../verbs/client.ts';
import { type PatchType, patchTypes } from '../../verbs/patch-types.ts';
import { groupVersionPath, isCustom, labelOf, type OracleKind } from '../oracle-kind.ts';
import { type Body, headerOf, type Scenario, type Step } from '../play/scenario.ts';
import { nameOf, sampleOf } from '../samples/objects.ts';

export type StepParts = Omit<Step, 'id' | 'what' | 'method' | 'path'>;

/** A rehearsal; one that may be sent together with others; and what changes nothing anyhow, sent so. */
export const dry = { query: { dryRun: 'All' } } as const;
export const beside = { alongside: true } as const;
export const dryBeside = { ...dry, ...beside } as const;

/** Writes down a scenario step by step. Each method gives the id of its step. */
export class Story {
  readonly #steps: Step[] = [];

  add(what: string, method: string, path: string, parts: StepParts = {}): string {
    return this.play({ what, method, path, ...parts });
  }

  play(step: Omit<Step, 'id'>): string {
    const id = `s${this.#steps.length + 1}`;
    this.#steps.push({ ...step, id });
    return id;
  }

  get length(): number {
    return this.#steps.length;
  }

  scenario(name: string, generator: string, namespaces: number, prepare: readonly Step[] = []): Scenario {
    return { name, generator, namespaces, prepare, steps: this.#steps };
  }
}

/** The requests that one kind can be sent, noted in a story. */
export class KindStory {
  readonly story: Story;
  readonly kind: OracleKind;
  readonly label: string;

  constructor(story: Story, kind: OracleKind) {
    this.story = story;
    this.kind = kind;
    this.label = labelOf(kind);
  }

  /** The collection in namespace `place`, or everywhere. */
  collection(place?: number): string {
    const base = groupVersionPath(this.kind);
    const within = this.kind.namespaced && place !== undefined ? `/namespaces/<own>-${place}` : '';
    return `${base}${within}/${this.kind.resource}`;
  }

  item(word: string, sub = '', place = 1): string {
    return `${this.collection(place)}/${nameOf(this.kind, word)}${sub && `/${sub}`}`;
  }

  /** Gives the step that is answered the object as it is once the server itself has written of it, too. */
  create(json: Json, parts: StepParts = {}, place = 1): string {
    const body = { json: place === 1 ? json : within(json, place) };
    const id = this.#add('create', '', 'POST', this.collection(place), { body, ...parts });
    const { name } = json.metadata ?? {};
    return (name && this.#settle(`${this.collection(place)}/${name}`, parts, true)) || id;
  }

  get(word: string, parts: StepParts = {}, sub = '', place = 1): string {
    return this.#add('get', sub, 'GET', this.item(word, sub, place), parts);
  }

  /** A list of namespace `place`, or of all. */
  list(parts: StepParts = {}, place?: number): string {
    return this.#add(place === undefined ? 'list all' : 'list', '', 'GET', this.collection(place), parts);
  }

  watch(parts: StepParts = {}, place?: number): string {
    const query = { watch: '1', ...(parts.query as Record<string, string> | undefined) };
    const what = place === undefined ? 'watch all' : 'watch';
    return this.#add(what, '', 'GET', this.collection(place), { watch: {}, ...parts, query });
  }

  put(word: string, body: Body, parts: StepParts = {}, sub = '', place = 1): string {
    const id = this.#add('update', sub, 'PUT', this.item(word, sub, place), { body, ...parts });
    this.#settle(this.item(word, '', place), parts);
    return id;
  }

  patch(word: string, type: PatchType, json: Json, parts: StepParts = {}, sub = '', place = 1): string {
    const id = this.#add(`${type} patch`, sub, 'PATCH', this.item(word, sub, place), {
      body: { json },
      ...parts,
      headers: { 'content-type': patchTypes[type], ...parts.headers },
    });
    this.#settle(this.item(word, '', place), parts, type === 'apply');
    return id;
  }

  /** Waits for what the server itself writes of an object that was written, and that may be new. */
  #settle(path: string, { query }: StepParts, isNew = false): string | undefined {
    const { settles, lingers } = sampleOf(this.kind) ?? {};
    if (!settles || JSON.stringify(query ?? '').includes('dryRun')) return undefined;
    return this.story.add(`await ${this.label}`, 'GET', path, {
      ...(isNew ? { awaitsMember: settles } : {}),
      awaitsRest: lingers ? { finalizer: lingers } : {},
    });
  }

  apply(word: string, json: Json, manager: string, parts: StepParts = {}, sub = '', place = 1): string {
    const query = { fieldManager: manager, ...(parts.query as Record<string, string> | undefined) };
    return this.patch(word, 'apply', json, { ...parts, query }, sub, place);
  }

  delete(word: string, parts: StepParts = {}, place = 1): string {
    const id = this.#add('delete', '', 'DELETE', this.item(word, '', place), parts);
    this.#settle(this.item(word, '', place), parts);
    return id;
  }

  /** Whether a server that forgets a selector or a rehearsal would take away nothing but what is ours. */
  get mayDeleteAll(): boolean {
    return this.kind.namespaced || isCustom(this.kind);
  }

  /** Nothing, where objects of others could go. */
  deleteAll(parts: StepParts = {}, place = 1): string {
    if (!this.mayDeleteAll) return '';
    return this.#add('delete collection', '', 'DELETE', this.collection(place), parts);
  }

  #add(verb: string, sub: string, method: string, path: string, parts: StepParts): string {
    const forms = [formOf(parts), (parts.query as Record<string, string> | undefined)?.['dryRun'] ? 'dry' : ''];
    const what = [verb, `${this.label}${sub && `/${sub}`}`, ...forms].filter((word) => word !== '').join(' ');
    return this.story.add(what, method, path, parts);
  }
}

/** The same in another namespace: what it refers to in its own is there, too. */
const within = (json: Json, place: number): Json =>
  JSON.parse(JSON.stringify(json).replaceAll('"namespace":"<own>-1"', `"namespace":"<own>-${place}"`));

/** Says of a step that it asks for another form than JSON. */
function formOf(parts: StepParts): string {
  const accept = headerOf(parts, 'accept');
  return /as=(Table|PartialObjectMetadata)/.exec(accept)?.[1] ?? /protobuf|yaml/.exec(accept)?.[0] ?? '';
}
