import { type Hook, openHook } from '../../lab/admission-webhook.ts';
import type { Json } from '../../verbs/client.ts';
import type { RuleContext } from '../../verbs/context.ts';

/** A webhook that is reached as a service. */
export interface ServiceHook {
  readonly hook: Hook;
  /** `name.namespace.svc` */
  readonly host: string;
  /** For `configure`, in place of the usual address. */
  readonly clientConfig: Json;
}

const allow = () => ({ allowed: true });

/** The port of all webhooks of this process. */
export async function hookPort(host: string): Promise<number> {
  const hook = await openHook(allow, { host });
  hook.close();
  return hook.port;
}

/**
 * Makes a service, of the rule's namespace unless another is named, that leads to a webhook on this machine; it is
 * called at no path.
 */
export async function serviceHook(
  { services, namespace, unique, webhookHost, release }: RuleContext,
  place?: string,
): Promise<ServiceHook> {
  const name = unique('hook');
  const own = place ?? (await namespace());
  await services.in(own).create({
    metadata: { name },
    spec: { type: 'ExternalName', externalName: webhookHost, selector: undefined, ports: undefined },
  });
  const host = `${name}.${own}.svc`;
  const hook = await openHook(allow, { host: webhookHost, service: host });
  release(hook.close);
  return { hook, host, clientConfig: { url: undefined, service: { name, namespace: own, port: hook.port } } };
}
