import { openHook } from '../lab/admission-webhook.ts';
import type { Answer, Json, Send } from '../verbs/client.ts';
import { type Permit, runLabel } from '../verbs/guest/permit.ts';
import { waitUntil } from '../verbs/wait-until.ts';
import { onNewConfigMaps, usual } from '../verbs/webhooks.ts';

const configurations = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';

/** Milliseconds within which servers know of a new configuration. */
const patience = 15_000;
/** So many times a server has to say that it could not call, as others may be in its way for a moment. */
const enough = 3;

/**
 * Why a server that has an address of this machine does not reach webhooks here, as one in a network of its own; undefined
 * where it does. One that does not even try counts as reaching them: rules judge that. Leaves nothing behind.
 */
export async function whyOutOfReach(send: Send, { run }: Permit, limit = patience): Promise<string | undefined> {
  const name = `touchstone-${crypto.randomUUID().slice(0, 8)}`;
  const labels = { [runLabel]: run };
  const hook = await openHook(() => ({ allowed: true }), { host: '127.0.0.1' });
  const parts = { rules: onNewConfigMaps, timeoutSeconds: 2 };
  const webhooks = [{ ...usual('reach.touchstone.example', name, hook), ...parts }];
  const place = `/api/v1/namespaces/${name}`;
  const make = (path: string, body: Json, query = {}): Promise<Answer> =>
    send('POST', path, { body: { metadata: { name, labels }, ...body }, query });
  let failed = 0;
  const isKnown = ({ status, body }: Answer): boolean => {
    if (status >= 500 && String(body?.message).includes('webhook')) failed++;
    return hook.received.length > 0 || failed >= enough;
  };
  try {
    await make('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace' });
    const kind = 'ValidatingWebhookConfiguration';
    await make(configurations, { apiVersion: 'admissionregistration.k8s.io/v1', kind, webhooks });
    const attempt = () => make(`${place}/configmaps`, { apiVersion: 'v1', kind: 'ConfigMap' }, { dryRun: 'All' });
    const { body } = await waitUntil('the webhook is called', attempt, isKnown, { limit, interval: 200 });
    return hook.received.length > 0 ? undefined : String(body.message);
  } catch {
    return undefined;
  } finally {
    for (const path of [`${configurations}/${name}`, place]) await send('DELETE', path).catch(() => undefined);
    hook.close();
  }
}
