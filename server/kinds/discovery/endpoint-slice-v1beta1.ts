import type { KubeObject } from '../../base/kube-object.ts';

interface BetaEndpoint {
  readonly topology?: Readonly<Record<string, string>>;
  readonly nodeName?: string;
}

const hostLabel = 'kubernetes.io/hostname';
const zoneLabel = 'topology.kubernetes.io/zone';

/** An EndpointSlice of `discovery.k8s.io/v1beta1`, where an endpoint's node and zone are labels among others. */
export const sliceOfV1Beta1 = (slice: KubeObject): KubeObject => ({
  ...slice,
  ...(Array.isArray(slice['endpoints']) && { endpoints: slice['endpoints'].map(endpointOfV1Beta1) }),
});

function endpointOfV1Beta1({ topology = {}, ...endpoint }: BetaEndpoint): object {
  const { [hostLabel]: host, [zoneLabel]: zone } = topology;
  return {
    ...endpoint,
    ...(host !== undefined && endpoint.nodeName === undefined && { nodeName: host }),
    ...(zone !== undefined && { zone }),
  };
}
