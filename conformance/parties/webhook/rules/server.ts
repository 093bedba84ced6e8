import type { Answer, Json } from '../../../verbs/client.ts';
import type { Collection } from '../../../verbs/collection.ts';
import { said } from '../../../verbs/said.ts';
import { impliedUnder, type PartyRule } from '../../party.ts';
import type { WebhookContext } from '../context.ts';
import { isDecided, type Sample, written } from '../installed.ts';

const rule = impliedUnder<WebhookContext>('webhook');

/** What comes of it when an API server asks. */
export const serverRules: readonly PartyRule<WebhookContext>[] = [
  rule(
    'server.writes',
    'Where an API server asks it, each write is done, or refused in its words: no call fails.',
    ['admission.webhooks.call', 'webhook.failure-policy.fail', 'webhook.response.http'],
    ['own-uid', 'other-version', 'wordy-verdict', 'plain-patch', 'patch-nowhere', 'renames', 'needs-object'],
    async (context) => {
      for (const { what, kind, draft } of await samplesOf(context)) {
        const object = draft();
        const { name } = object.metadata;
        const created = decided(context, what, await kind.post(object));
        if (created.status !== 201) continue;
        context.expect(created.body.metadata.name, `its name: ${what}`).toBe(name);
        const labels = { 'example.com/judged': 'again' };
        decided(context, `${what}, and change it`, await kind.patch(name, { metadata: { labels } }));
        decided(context, `${what}, and delete it`, await kind.delete(name));
      }
    },
  ),
  rule(
    'server.dry-run',
    'What an API server only rehearses comes out as what it does.',
    ['webhook.side-effects.dry-run-sent', 'webhook.request.dry-run'],
    'dry-run-allows',
    async (context) => {
      for (const { what, kind, draft } of await samplesOf(context)) {
        const object = draft();
        const rehearsed = decided(context, `rehearse: ${what}`, await kind.post(object, { dryRun: 'All' }));
        const done = decided(context, what, await kind.post(object));
        context.expect(rehearsed.status, `status of the dry run: ${what}`).toBe(done.status);
        if (done.status === 201)
          context.expect(written(rehearsed.body), `the dry run: ${what}`).toEqual(written(done.body));
      }
    },
  ),
  rule(
    'server.settles',
    'What is written back as it was read stays as it is.',
    ['webhook.author.idempotent', 'webhook.reinvocation.if-needed'],
    'counts-on',
    async (context) => {
      for (const { what, kind, draft } of await samplesOf(context)) {
        const { status, body } = decided(context, what, await kind.post(draft()));
        if (status !== 201) continue;
        const { read, answer } = await writtenBack(kind, body.metadata.name);
        const again = decided(context, `${what}, and write it back`, answer);
        if (again.status === 200) context.expect(written(again.body), `written back: ${what}`).toEqual(written(read));
      }
    },
  ),
  rule(
    'server.hundred-at-once',
    'A hundred writes at once are each done, or refused in its words.',
    ['admission.webhooks.call', 'webhook.timeout.enforced'],
    ['one-at-a-time', 'mixes-up'],
    async (context) => {
      const [{ what, kind, draft }] = await samplesOf(context);
      const writes = Array.from({ length: 100 }, () => kind.post(draft(), { dryRun: 'All' }));
      for (const answer of await Promise.all(writes)) decided(context, `${what}, a hundred times at once`, answer);
    },
  ),
];

async function samplesOf({ installed, skip }: WebhookContext): Promise<readonly [Sample, ...Sample[]]> {
  const [first, ...others] = (await installed()).samples;
  return first ? [first, ...others] : skip('the server takes none of the objects that webhooks are judged by');
}

/** Until nobody else has written it in between. */
async function writtenBack(kind: Collection, name: string): Promise<{ readonly read: Json; readonly answer: Answer }> {
  for (let tries = 0; ; tries += 1) {
    const read = await kind.read(name);
    const answer = await kind.put(read);
    if (answer.status !== 409 || tries === 5) return { read, answer };
  }
}

function decided({ expect }: WebhookContext, what: string, answer: Answer): Answer {
  expect(isDecided(answer), `${what}: ${answer.status} ${said(answer)}`).toBe(true);
  return answer;
}
