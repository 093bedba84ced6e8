import type { Json } from '../../../verbs/client.ts';
import { hashOf } from '../../play/random.ts';
import { objectOf, sampleOf } from '../../samples/objects.ts';
import { mark } from '../end-mark.ts';
import { type Form, formsOfKinds, inForm } from '../forms.ts';
import type { KindStory, StepParts } from '../story.ts';
import { deleteOptions } from './life.ts';

const own = 'app=<own>';
const user = { 'impersonate-user': '<own>-user' } as const;
const master = { ...user, 'impersonate-group': 'system:masters' } as const;
/** Nobody answers of that version yet. */
const never = '99999999999';

const lists: Partial<Record<Form, Form>> = { metadata: 'metadataList', protobufMetadata: 'protobufMetadataList' };
const asList = (form: Form): Form => lists[form] ?? form;
const listForms = formsOfKinds.map(asList);

/** What is written is answered in each form alike for all kinds: which forms are tried is spread over them. */
const isWritten = (at: KindStory, form: (typeof formsOfKinds)[number]): boolean =>
  [0, 3].some((more) => formsOfKinds[(hashOf(at.label) + more) % formsOfKinds.length] === form);

type Asked = Readonly<Record<string, string>>;

/** What is chosen, of which moment, by whom and with which checks: asked for in each form of an answer. */
export function askedInForms(at: KindStory): void {
  const first = at.create(objectOf(at.kind, 'a', { color: 'red' }));
  at.create(objectOf(at.kind, 'b', { color: 'green' }));
  const seen = at.list({ query: { labelSelector: own } }, 1);
  const page = at.list({ query: { labelSelector: own, limit: '1' } }, 1);
  const version = `<${seen}:metadata.resourceVersion>`;
  at.create(objectOf(at.kind, 'c', { color: 'red' }));
  at.patch('b', 'merge', { metadata: { labels: { color: 'red' } } });
  for (const form of formsOfKinds) {
    gotten(at, form, version);
    if (!isWritten(at, form)) continue;
    rehearsed(at, form, first);
    refused(at, form);
  }
  for (const form of listForms) listed(at, form, version, page);
  at.get('b');
  // Each takes a while to be refused, so that all are asked at once.
  for (const form of formsOfKinds) {
    at.list({ query: { labelSelector: own, resourceVersion: never }, ...inForm(asList(form)), alongside: true }, 1);
    at.get('a', { query: { resourceVersion: never }, ...inForm(form), alongside: true });
  }
  streamed(at, version);
}

/** @param page the step that is answered the first of several pages */
function listed(at: KindStory, form: Form, version: string, page: string): void {
  const name = objectOf(at.kind, 'b').metadata.name;
  const chosen = { labelSelector: `${own},color=red` };
  const moments: readonly Asked[] = [
    { resourceVersion: version, resourceVersionMatch: 'Exact' },
    { resourceVersion: version, resourceVersionMatch: 'NotOlderThan' },
    { resourceVersion: '0' },
    { resourceVersion: 'none' },
  ];
  const all: readonly Asked[] = [
    { ...chosen, fieldSelector: `metadata.name=${name}` },
    { labelSelector: own, fieldSelector: `metadata.name!=${name}` },
    { labelSelector: own, fieldSelector: 'metadata.none=1' },
    { labelSelector: 'a in (' },
    ...moments.map((moment) => ({ ...chosen, ...moment })),
    { ...chosen, resourceVersion: version, resourceVersionMatch: 'Exact', limit: '1' },
    { labelSelector: own, limit: '1', continue: `<${page}:metadata.continue>` },
    { labelSelector: own, limit: '1', continue: 'nonsense' },
  ];
  for (const query of all) at.list({ query, ...inForm(form), alongside: true }, 1);
  for (const headers of [user, master])
    at.list({ query: chosen, headers: { ...headers, ...inForm(form).headers }, alongside: true }, 1);
}

function gotten(at: KindStory, form: Form, version: string): void {
  const { headers } = inForm(form);
  for (const resourceVersion of [version, '0', 'none'])
    at.get('b', { query: { resourceVersion }, headers, alongside: true });
  for (const who of [user, master]) at.get('b', { headers: { ...who, ...headers }, alongside: true });
  at.get('b', { headers, anonymous: true, alongside: true });
  at.get('none', { headers, alongside: true });
}

const unknown: Json = { metadata: { labels: { touched: 'yes' } }, touchedUnknown: 1 };

/** Each way to write, taken and refused. @param first the step that is answered the object `a` */
function rehearsed(at: KindStory, form: Form, first: string): void {
  const { headers } = inForm(form);
  const { change = { metadata: { labels: { touched: 'yes' } } } } = sampleOf(at.kind) ?? {};
  const object = objectOf(at.kind, 'd');
  const applied = { ...objectOf(at.kind, 'a'), metadata: { name: objectOf(at.kind, 'a').metadata.name } };
  for (const more of [{}, { fieldValidation: 'Strict' }]) {
    const query = { dryRun: 'All', ...more };
    const parts: StepParts = { query, headers, alongside: true };
    const odd = 'fieldValidation' in more ? { touchedUnknown: 1 } : {};
    at.create({ ...object, ...odd }, parts);
    at.put('a', { answerOf: first, merge: { ...change, ...odd } }, parts);
    at.patch('a', 'merge', 'fieldValidation' in more ? unknown : change, parts);
    at.apply('a', { ...applied, ...odd }, 'alice', { ...parts, query: { ...query, force: 'true' } });
  }
  const dry: StepParts = { query: { dryRun: 'All' }, headers, alongside: true };
  at.create(objectOf(at.kind, 'a'), dry);
  at.put('b', { answerOf: first, merge: { metadata: { name: objectOf(at.kind, 'b').metadata.name } } }, dry);
  at.apply('a', { ...applied, metadata: { ...applied.metadata, labels: { color: 'other' } } }, 'bob', dry);
  at.delete('a', dry);
  at.delete('a', { ...dry, body: { json: deleteOptions({ preconditions: { resourceVersion: '1' } }) } });
  at.deleteAll({ ...dry, query: { dryRun: 'All', labelSelector: `${own},color=red` } });
}

/** By who may not, and by who stands for somebody who may. */
function refused(at: KindStory, form: Form): void {
  const { headers } = inForm(form);
  for (const who of [user, master]) {
    const parts: StepParts = { query: { dryRun: 'All' }, headers: { ...who, ...headers }, alongside: true };
    at.create(objectOf(at.kind, 'd'), parts);
    at.patch('a', 'merge', { metadata: { labels: { by: 'user' } } }, parts);
    at.delete('a', parts);
    at.deleteAll({ ...parts, query: { dryRun: 'All', labelSelector: `${own},color=red` } });
  }
}

/** Streams of what is chosen by labels, by fields and by somebody else: of what comes to be chosen, and is no more. */
function streamed(at: KindStory, resourceVersion: string): void {
  const name = objectOf(at.kind, 'b').metadata.name;
  const until = { watch: { until: mark } };
  for (const form of formsOfKinds.filter((one) => one !== 'tableOrJson')) {
    const { headers } = inForm(form);
    const query = { labelSelector: `${own},color=red`, resourceVersion };
    at.watch({ ...until, query, headers: { ...master, ...headers } }, 1);
    at.watch({ ...until, query: { ...query, fieldSelector: `metadata.name!=${name}` }, headers }, 1);
    at.watch({ query, headers: { ...user, ...headers } }, 1);
  }
  for (const color of ['green', 'red']) at.patch('b', 'merge', { metadata: { labels: { color } } });
  at.patch('c', 'merge', { metadata: { labels: { color: null } } });
  at.delete('b');
  at.create(objectOf(at.kind, mark, { color: 'red' }));
}
