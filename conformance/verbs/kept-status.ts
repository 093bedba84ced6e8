import type { RuleContext } from './context.ts';
import { merged } from './merged.ts';
import { nameOf } from './states.ts';
import { changeOf, generalKinds, type Subject } from './subjects.ts';
import { fits, mainWrites } from './writes.ts';

type WithStatus = Subject & Required<Pick<Subject, 'status'>>;

/** Whose status is written through its subresource alone. */
export const statusKinds = generalKinds.filter((kind): kind is WithStatus => kind.status !== undefined);

/** What a new object, or a change of the object itself, says of the status does not count. */
export async function keepsStatus(context: RuleContext, kind: WithStatus): Promise<void> {
  const { expect } = context;
  const objects = await kind.open(context);
  const made = await objects.post(await objects.draft(kind.status(1)));
  expect(made.status, `a new object with a status: ${made.body?.message ?? ''}`).toBe(201);
  const name = nameOf(made.body);
  expect(await objects.read(name), 'after a create with a status').not.toMatchObject(kind.status(1));
  const told = await objects.merge(name, kind.status(2), 'status');
  expect(told, 'a status through its subresource').toMatchObject(kind.status(2));
  if (kind.change) {
    const beside = await objects.merge(name, merged(changeOf(kind, 9), kind.status(2)), 'status');
    expect(beside, 'what is said beside a status').not.toMatchObject(changeOf(kind, 9));
  }
  if (kind.custom) {
    const labelled = { ...kind.status(2), metadata: { labels: { beside: 'yes' } } };
    const { metadata } = await objects.merge(name, labelled, 'status');
    expect(metadata.labels ?? {}, 'labels beside the status of a custom object').not.toHaveProperty('beside');
  }
  const telling = { ...kind, change: (round: number) => merged(changeOf(kind, round), kind.status(3)) };
  const changes = mainWrites.filter(({ verb }) => verb === 'update' || verb === 'patch');
  for (const [round, write] of changes.filter((one) => fits({ kind, write: one })).entries()) {
    const object = await objects.read(name);
    const answer = await write.send({ objects, object, kind: telling, round: round + 1 });
    expect(answer.status, `${write.name}: ${answer.body?.message ?? ''}`).toBe(200);
    expect(answer.body, `what is answered to a ${write.name} with a status`).not.toMatchObject(kind.status(3));
    expect(await objects.read(name), `after a ${write.name} with a status`).not.toMatchObject(kind.status(3));
  }
}
