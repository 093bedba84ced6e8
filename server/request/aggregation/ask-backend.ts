import { HttpCaller } from '../../http-client/http-call.ts';
import type { ServiceAddress } from '../../kinds/core/service/reach.ts';
import type { AggregatedApi } from './aggregated-apis.ts';

const timeoutMs = 5000;
/** As whom this server asks for itself. */
const headers = { 'x-remote-user': 'system:kube-aggregator', 'x-remote-group': 'system:masters' };

/** Asks the server of a group for a document of at most so many bytes. @throws Error unless it answers with success */
export const askBackend =
  (addressOf: ServiceAddress) =>
  async ({ service, host, trust }: AggregatedApi, path: string, maxBytes: number): Promise<Buffer> => {
    const at = await addressOf(service.namespace, service.name, service.port);
    const url = new URL(`https://${host}:${service.port}${path}`);
    const caller = new HttpCaller(trust);
    try {
      const { status, body } = await caller.call({ method: 'GET', url, headers, at }, { timeoutMs, maxBytes });
      if (status < 200 || status > 299) throw new Error(`${url.pathname}: status ${status}`);
      return body;
    } finally {
      caller.close();
    }
  };
