import type { Json } from '../../../verbs/client.ts';
import { apiVersionOf } from '../../oracle-kind.ts';
import { merged } from '../../play/request.ts';
import { objectOf, sampleOf } from '../../samples/objects.ts';
import { accepts } from '../forms.ts';
import { dry, type KindStory, type StepParts } from '../story.ts';

type Bare = (metadata: Json, more?: Json) => Json;

const forced = { query: { force: 'true' } } as const;

/** Two managers share an object: what each gives up goes, what both hold stays, what is another's conflicts. */
export function applying(at: KindStory): void {
  const full = objectOf(at.kind, 'a');
  const { name } = full.metadata;
  const { change = {} } = sampleOf(at.kind) ?? {};
  const head = { apiVersion: apiVersionOf(at.kind), kind: at.kind.kind };
  const bare = (metadata: Json, more: Json = {}): Json => ({ ...head, metadata: { name, ...metadata }, ...more });
  const changed = merged({ ...full, metadata: { name } }, change);

  at.apply('a', full, 'alice', dry);
  at.get('a');
  at.apply(
    'a',
    {
      ...full,
      metadata: { ...full.metadata, annotations: { one: '1', two: '2' }, labels: { one: '1', app: '<own>' } },
    },
    'alice',
  );
  at.get('a');
  at.apply('a', bare({ labels: { bob: 'yes' }, annotations: { bob: 'yes', two: '2' } }), 'bob');
  at.apply('a', bare({ labels: { one: 'other' } }), 'bob');
  at.apply('a', changed, 'bob');
  at.apply('a', changed, 'bob', { query: { force: 'true', dryRun: 'All' } });
  at.get('a');
  at.apply('a', changed, 'bob', forced);
  at.get('a');
  at.apply('a', { ...full, metadata: { name, annotations: { one: '1' } } }, 'alice', forced);
  at.get('a');
  at.apply('a', bare({ annotations: {} }), 'bob');
  at.get('a');
  lists(at, bare);
}

/** Lists that a manager gives up again. */
function lists(at: KindStory, bare: Bare): void {
  at.apply('a', bare({ finalizers: ['touchstone.example/hold'] }), 'carol');
  at.apply('a', bare({ finalizers: [] }), 'carol');
  at.apply(
    'a',
    bare({ ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'none', uid: 'none' }] }),
    'carol',
  );
  at.apply('a', bare({}), 'carol');
  at.apply('a', bare({ finalizers: ['touchstone.example/one', 'touchstone.example/two'] }), 'frank');
  at.apply('a', bare({ finalizers: ['touchstone.example/three'] }), 'grace');
  // What others have before it stays there.
  at.apply('a', bare({ finalizers: ['touchstone.example/three', 'touchstone.example/four'] }), 'grace');
  at.apply('a', bare({ finalizers: ['touchstone.example/two'] }), 'frank');
  at.patch('a', 'merge', { metadata: { finalizers: null } });
  at.patch('a', 'merge', { metadata: { labels: { one: 'patched' } } }, { query: { fieldManager: 'dave' } });
  at.apply('a', bare({ labels: { one: 'mine' } }), 'erin');
  at.apply('a', bare({ labels: { one: 'patched' } }), 'erin');
  odd(at, bare);
  at.apply('a', bare({ labels: { last: 'yes' } }), 'alice', { headers: { accept: accepts.yaml } });
  at.get('a');
}

/** What is no proper apply. */
function odd(at: KindStory, bare: (metadata: Json, more?: Json) => Json): void {
  const now = at.get('a');
  at.apply('a', bare({ resourceVersion: '1' }), 'alice', forced);
  at.apply('a', bare({ resourceVersion: `<${now}:metadata.resourceVersion>`, labels: { seen: 'yes' } }), 'alice');
  at.apply('a', bare({ uid: '00000000-1111-2222-3333-444444444444' }), 'alice');
  at.apply('a', bare({ managedFields: [] }), 'alice');
  at.apply('a', bare({ name: 'other' }), 'alice');
  at.apply('a', bare({}, { touched: 'unknown' }), 'alice');
  at.apply('a', bare({}, { touched: 'unknown' }), 'alice', { query: { fieldValidation: 'Strict' } });
  at.apply('a', bare({}), '');
  at.apply('a', bare({}), 'x'.repeat(200));
  at.apply('a', { ...bare({}), apiVersion: 'none/v1' }, 'alice');
  at.apply('a', { ...bare({}), kind: 'None' }, 'alice');
  at.apply('b', bare({ resourceVersion: '7' }), 'alice');
  at.get('b');
}

/** Applied status and applied object are two sets of fields of the same manager. */
export function managing(at: KindStory): void {
  const full = objectOf(at.kind, 'a');
  const { change = { metadata: { labels: { touched: 'yes' } } } } = sampleOf(at.kind) ?? {};
  const first = at.create(full, { query: { fieldManager: 'alice' } });
  at.put('a', { answerOf: first, merge: change }, { query: { fieldManager: 'bob' } });
  at.patch(
    'a',
    'merge',
    { metadata: { annotations: { by: 'carol' } } },
    { headers: { 'user-agent': 'carol/1.0 (test)' } },
  );
  at.get('a');
  at.apply('a', { ...full, metadata: { name: full.metadata.name } }, 'dave');
  at.apply('a', { ...full, metadata: { name: full.metadata.name } }, 'dave', forced);
  at.patch('a', 'json', [{ op: 'replace', path: '/metadata/managedFields', value: [{}] }]);
  at.get('a');
  at.apply('a', { ...full, metadata: { name: full.metadata.name, labels: { app: 'again' } } }, 'dave', forced);
  at.get('a');
  at.list({ headers: { accept: accepts.metadata } }, 1);
  const anew = { metadata: { resourceVersion: null, managedFields: null } };
  at.put('a', { answerOf: first, merge: anew }, { query: { fieldManager: 'erin' } });
  at.get('a');
  crowd(at);
}

const manyManagers = 12;

/** More than a server keeps apart. */
function crowd(at: KindStory): void {
  const by = (word: string, more: StepParts = {}): string =>
    at.patch(
      'a',
      'merge',
      { metadata: { annotations: { [`by-${word}`]: 'yes' } } },
      { query: { fieldManager: word }, ...more },
    );
  // Whom the names would have come last.
  by('zoe');
  // Named in the order in which they write, after who wrote before: whether a second ends between two of them makes no
  // difference then.
  for (let number = 10; number < 10 + manyManagers; number++) by(`m${number}`, { later: number === 10 });
  at.get('a');
}
