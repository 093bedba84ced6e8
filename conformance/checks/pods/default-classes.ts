import { heldFrom } from '../../holds-for.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { said } from '../../verbs/said.ts';
import { nameOf } from '../../verbs/states.ts';
import { pass } from './job-runs.ts';

const dry = { dryRun: 'All' };
const marked = (annotation: string, value = 'true'): Json => ({ metadata: { annotations: { [annotation]: value } } });

const ofStorage = 'storageclass.kubernetes.io/is-default-class';
const ofRoutes = 'ingressclass.kubernetes.io/is-default-class';

/** Where objects of a kind name their class: in a field, and in an annotation, as before there was one. */
interface Naming {
  readonly objects: Collection;
  readonly classes: Collection;
  /** By which a class says that it is the default one. */
  readonly mark: string;
  readonly field: string;
  readonly annotation: string;
  /** One that was there before any class. */
  readonly older: string;
}

/** What a class says of itself, and what those get then who name none. */
interface Saying {
  readonly says: Json;
  readonly what: string;
  readonly gives: Json;
}

interface Default {
  readonly classes: Collection;
  readonly name: string;
  /** What one gets now who names none. */
  readonly given: () => Promise<Json>;
  /** While it is the default one, and while it is not. */
  readonly yes: Saying;
  readonly no: Saying;
}

/** A class is the default one for as long as it says so, and is there. */
async function isDefaultMeanwhile(
  { waitUntil }: RuleContext,
  { classes, name, given, yes, no }: Default,
): Promise<void> {
  const until = ({ what, gives }: Saying) => waitUntil(what, given, (found) => found === gives);
  await until(yes);
  await classes.merge(name, no.says);
  await until(no);
  await classes.merge(name, yes.says);
  await until(yes);
  await classes.remove(name);
  await until(no);
}

/** Who names no class gets the default one, as long as it is there. Who names one, or in a way none, does not. */
async function givesDefault(context: RuleContext, naming: Naming, ofClass: string, names: string[]): Promise<void> {
  const { waitUntil, expect } = context;
  const { objects, classes, mark, field, annotation, older } = naming;
  const { resource } = objects.at;
  const given = async (value?: string, annotations: Json = {}): Promise<Json> => {
    const sample = objects.sample({ metadata: { annotations }, spec: { [field]: value } });
    const answer = await objects.post(sample, dry);
    expect(answer.status, `${resource}: ${said(answer)}`).toBe(201);
    return answer.body.spec?.[field];
  };
  const yes = { says: marked(mark), what: `${resource} get the default class`, gives: ofClass };
  await waitUntil(yes.what, given, (name) => name === ofClass);
  for (const name of names) expect(await given(name), `${resource} that name the class "${name}"`).toBe(name);
  const before = await given(undefined, { [annotation]: 'other' });
  expect(before, `${resource} that name their class by ${annotation}`).toBe(undefined);
  const changed = await objects.merge(older, { metadata: { labels: { changed: 'yes' } } });
  expect(changed.spec?.[field], `${resource} that were there before`).toBe(undefined);
  const no = {
    says: marked(mark, 'false'),
    what: `${resource} get no class that is not the default`,
    gives: undefined,
  };
  await isDefaultMeanwhile(context, { classes, name: ofClass, given, yes, no });
}

/** One class of priority is that of all who name none, as long as it is there, and a second one cannot be. */
async function givesPriority(context: RuleContext): Promise<void> {
  const { pods, priorityClasses, waitUntil, expect } = context;
  const shared = { value: 7, globalDefault: true };
  const first = nameOf(await priorityClasses.create(shared));
  const given = async () => (await pods.post(pods.sample(), dry)).body?.spec?.priority;
  const yes = { says: { globalDefault: true }, what: 'pods get the default class of priority', gives: shared.value };
  await waitUntil(yes.what, given, (priority) => priority === yes.gives);
  const second = async () => (await priorityClasses.post(priorityClasses.sample(shared), dry)).status;
  await waitUntil('a second default class of priority is refused', second, (status) => status === 403);
  const { globalDefault: _, ...plain } = shared;
  const later = nameOf(await priorityClasses.create(plain));
  const changed = await priorityClasses.patch(later, { globalDefault: true }, { query: dry });
  expect(changed.status, 'a second default class of priority by a change').toBe(403);
  expect((await priorityClasses.patch(first, { description: 'the default' })).status, 'a change of the first').toBe(
    200,
  );
  const no = { says: { globalDefault: false }, what: 'pods get no class of priority', gives: 0 };
  await isDefaultMeanwhile(context, { classes: priorityClasses, name: first, given, yes, no });
}

/** Of several default classes an Ingress that names none gets the newest: until v1.25 it was refused. */
async function choosesTheNewest({ ingresses, ingressClasses, version, waitUntil, expect }: RuleContext): Promise<void> {
  if (heldFrom({ from: 25 }, version)) return;
  const byDefault = marked(ofRoutes);
  const first = await ingressClasses.create(byDefault);
  // Which is the newer one is told to the second, and by servers that may differ in what time it is.
  await pass(1_100);
  const made = [first, await ingressClasses.create(byDefault)];
  const [newest] = made.toSorted((one, other) => madeAt(other) - madeAt(one) || (nameOf(one) < nameOf(other) ? -1 : 1));
  const given = async (): Promise<Json> => {
    const answer = await ingresses.post(ingresses.sample({ spec: { ingressClassName: undefined } }), dry);
    expect(answer.status, `an Ingress, of several default classes: ${said(answer)}`).toBe(201);
    return answer.body.spec.ingressClassName;
  };
  await waitUntil('ingresses get the newest default class', given, (name) => name === nameOf(newest));
  for (const one of made) await ingressClasses.remove(nameOf(one));
}

const madeAt = ({ metadata }: Json): number => Date.parse(metadata.creationTimestamp);

/** Classes that are for all who name none: only on a server of one's own, for others would get them as well. */
export async function givesDefaultClasses(context: RuleContext): Promise<void> {
  const { persistentVolumeClaims, storageClasses, ingresses, ingressClasses } = context;
  const claim = await persistentVolumeClaims.create({ spec: { storageClassName: undefined } });
  const route = await ingresses.create({ spec: { ingressClassName: undefined } });
  const storage = await storageClasses.create({
    ...marked(ofStorage),
    provisioner: 'touchstone.example/nobody',
  });
  const ofClaims = {
    ...{ objects: persistentVolumeClaims, classes: storageClasses, mark: ofStorage, field: 'storageClassName' },
    ...{ annotation: 'volume.beta.kubernetes.io/storage-class', older: nameOf(claim) },
  };
  await givesDefault(context, ofClaims, nameOf(storage), ['other', '']);
  const ingress = await ingressClasses.create(marked(ofRoutes));
  const ofIngresses = {
    ...{ objects: ingresses, classes: ingressClasses, mark: ofRoutes, field: 'ingressClassName' },
    ...{ annotation: 'kubernetes.io/ingress.class', older: nameOf(route) },
  };
  await givesDefault(context, ofIngresses, nameOf(ingress), ['other']);
  await choosesTheNewest(context);
  await givesPriority(context);
}
