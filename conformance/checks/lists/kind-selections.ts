import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { nameOf } from '../../verbs/states.ts';
import type { Subject } from '../../verbs/subjects.ts';
import { listsSelected, watchesSelected } from './selected.ts';
import type { Selection } from './selections.ts';

/** Two objects of a kind that can be chosen by fields of its own, and which of them each term leaves. */
interface Choice {
  readonly parts: readonly [Json, Json];
  readonly left: Readonly<Record<string, readonly number[]>>;
}

const pod = (restartPolicy: string, schedulerName: string): Json => ({ spec: { restartPolicy, schedulerName } });

/** What is in no namespace, and of a kind that says nothing of its own, is chosen by that. */
const nowhere: Choice = {
  parts: [{}, {}],
  left: { 'metadata.namespace=': [0, 1], 'metadata.namespace!=': [], 'metadata.namespace=default': [] },
};

const choices: Readonly<Record<string, Choice>> = {
  secrets: {
    parts: [{ type: 'Opaque' }, { type: 'example.com/judged' }],
    left: { 'type=Opaque': [0], 'type!=Opaque': [1], 'type=example.com/judged': [1], 'type=': [] },
  },
  pods: {
    parts: [pod('Never', 'touchstone.example/nobody'), pod('Always', 'touchstone.example/none')],
    left: {
      'spec.restartPolicy=Never': [0],
      'spec.restartPolicy!=Never': [1],
      'spec.schedulerName=touchstone.example/none': [1],
      'spec.nodeName=': [0, 1],
      'spec.nodeName!=': [],
      'status.phase=Pending': [0, 1],
      'status.phase!=Pending,spec.restartPolicy=Never': [],
      'status.podIP=': [0, 1],
      'status.nominatedNodeName=': [0, 1],
    },
  },
  // A count that is missing is none.
  jobs: {
    parts: [{}, {}],
    left: { 'status.successful=0': [0, 1], 'status.successful!=0': [], 'status.successful=1': [] },
  },
  clusterroles: nowhere,
  ingressclasses: nowhere,
  namespaces: {
    parts: [{}, {}],
    left: { 'status.phase=Active': [0, 1], 'status.phase!=Active': [], 'status.phase=Terminating': [] },
  },
};

/** Some kinds can be chosen by more than where they are and what they are called. */
export async function selectsByOwnFields(
  context: RuleContext & { readonly objects: Collection },
  kind: Subject,
): Promise<void> {
  const choice = choices[kind.name];
  if (!choice) return;
  const { objects } = context;
  const label = { metadata: { labels: { chosen: 'by-field' } } };
  const names: string[] = [];
  for (const [index, parts] of choice.parts.entries())
    names.push(...(await objects.createMany(1, { ...parts, ...label }, `own-${index}`)).map(nameOf));
  const selections = Object.entries(choice.left).map(
    ([fieldSelector, left]): Selection => ({ query: { fieldSelector, labelSelector: 'chosen=by-field' }, left }),
  );
  await listsSelected(context, kind, selections, names);
  await watchesSelected(context, kind, selections.slice(0, 1), names);
}
