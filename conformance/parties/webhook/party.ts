import { existsSync, readFileSync } from 'node:fs';
import { startSpecimen } from '../../../fixtures/webhooks/specimen.ts';
import { UsageError } from '../../flag-values.ts';
import { makeAuthority, makePair } from '../../lab/certificates.ts';
import { TargetFault } from '../../target/inspect.ts';
import type { FlagValues, Party } from '../party.ts';
import { openWebhook, type WebhookCandidate, type WebhookContext } from './context.ts';
import { requests, reviewOf } from './reviews.ts';
import { webhookRules } from './rules.ts';

export const webhookParty: Party<WebhookCandidate, WebhookContext> = {
  name: 'webhook',
  about: 'Judges an admission webhook: plays the API server and asks it about pods, deployments and config maps.',
  flags: [
    { name: 'url', value: 'URL', help: 'where the webhook is called, path included' },
    { name: 'ca', value: 'FILE', help: 'PEM that vouches for its certificate' },
  ],
  rules: webhookRules,
  candidate: (values) => ({ url: urlOf(values), authority: pemOf(values) }),
  async inspect(candidate) {
    const asked = Object.values(requests)[0];
    const { send } = await openWebhook(candidate, {
      ruleId: '',
      exchanges: [],
      warnings: [],
      release: () => undefined,
    });
    await send(JSON.stringify(asked ? reviewOf(asked) : {})).catch((error: Error) => {
      throw new TargetFault(`${candidate.url} cannot be asked: ${error.message}.`);
    });
  },
  open: openWebhook,
  async specimen(fault) {
    const authority = await makeAuthority('webhooks');
    const { certificate: cert, key } = await makePair({ name: 'CN=webhook', usage: 'server' }, authority);
    const { url, stop } = await startSpecimen({ cert, key }, fault);
    return { candidate: { url, authority: authority.certificate }, stop };
  },
  dead: ['silent', 'not-found', 'empty'],
};

function urlOf({ url }: FlagValues): string {
  if (typeof url !== 'string') throw new UsageError('--url says where the webhook is');
  if (URL.parse(url)?.protocol !== 'https:') throw new UsageError(`--url: ${url} is no https address`);
  return url;
}

function pemOf({ ca }: FlagValues): string {
  if (typeof ca !== 'string') throw new UsageError('--ca names the file that vouches for the certificate');
  if (!existsSync(ca)) throw new UsageError(`--ca: there is no file ${ca}`);
  return readFileSync(ca, 'utf8');
}
