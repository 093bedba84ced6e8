import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { merged } from '../../verbs/merged.ts';
import { nameOf } from '../../verbs/states.ts';
import { marking } from '../../verbs/subjects.ts';
import { entryOf, ownsField } from './managed-fields.ts';

/** Only where more than ten have updated an object may some of them be told as one, however many apply to it. */
export async function tellsTenApart(
  objects: Collection,
  part: (manager: string) => Json,
  expect: RuleContext['expect'],
): Promise<void> {
  const updaters = Array.from({ length: 9 }, (_, index) => `updater-${index}`);
  const made = await objects.post(await objects.draft(part('creator')), { fieldManager: 'creator' });
  for (const fieldManager of updaters)
    await objects.patch(nameOf(made.body), part(fieldManager), { query: { fieldManager } });
  for (const manager of ['applier-0', 'applier-1']) await objects.apply(nameOf(made.body), part(manager), manager);
  const object = await objects.read(nameOf(made.body));
  for (const manager of ['creator', ...updaters])
    expect(ownsField(object, manager, part(manager)), `${manager}, one of ten`).toBe(true);
}

/** What servers themselves have booked is booked like all else. */
export function expectEntries(items: readonly Json[], expect: RuleContext['expect']): void {
  for (const { metadata } of items)
    for (const { operation, apiVersion, fieldsType, fieldsV1 } of metadata.managedFields ?? []) {
      expect(['Apply', 'Update'], `operation, of ${metadata.name}`).toContain(operation);
      expect(apiVersion, `apiVersion, of ${metadata.name}`).toMatch(/./);
      expect(fieldsType, `fieldsType, of ${metadata.name}`).toBe('FieldsV1');
      expect(fieldsV1, `fieldsV1, of ${metadata.name}`).toBeTypeOf('object');
    }
}

const timesOf = (object: Json): string[] => ['applier', 'labeller'].map((name) => entryOf(object, name).time);

/** The times of entries move on with what their managers write, and with nothing else. */
export async function movesTimes(
  objects: Collection,
  body: Json,
  { waitUntil, expect }: Pick<RuleContext, 'waitUntil' | 'expect'>,
): Promise<void> {
  const labelled = async (fieldManager: string, labels: Json): Promise<Json> =>
    (await objects.patch(nameOf(body), { metadata: { labels } }, { query: { fieldManager } })).body;
  let round = 0;
  const write = async (): Promise<Json> => {
    round += 1;
    await objects.apply(nameOf(body), merged(body, marking(`r${round}`)), 'applier', { force: 'true' });
    return labelled('labeller', { round: `r${round}` });
  };
  const { time } = entryOf(await labelled('bystander', { beside: 'yes' }), 'bystander');
  const before = timesOf(await write());
  await waitUntil(
    'the times of entries move on with what is applied and patched',
    async () => timesOf(await write()),
    (times) => times.every((each, index) => each > (before[index] ?? '')),
  );
  expect(entryOf(await write(), 'bystander').time, 'of whom nobody took anything').toBe(time);
}
