import { HttpCaller } from '../../http-client/http-call.ts';
import type { ServiceAddress } from '../../kinds/core/service/reach.ts';
import type { AggregatedApi } from './aggregated-apis.ts';

const limits = { timeoutMs: 5000, maxBytes: 4 << 20 };
/** As whom this server asks for itself. */
const headers = { 'x-remote-user': 'system:kube-aggregator', 'x-remote-group': 'system:masters' };

/** Asks a server for what it serves of a group. @throws Error unless it answers with success */
export const askForDiscovery =
  (addressOf: ServiceAddress) =>
  async ({ group, version, service, host, trust }: AggregatedApi): Promise<void> => {
    const at = await addressOf(service.namespace, service.name, service.port);
    const url = new URL(`https://${host}:${service.port}/apis/${group}/${version}`);
    const caller = new HttpCaller(trust);
    try {
      const { status } = await caller.call({ method: 'GET', url, headers, at }, limits);
      if (status < 200 || status > 299) throw new Error(`${url.pathname}: status ${status}`);
    } finally {
      caller.close();
    }
  };
