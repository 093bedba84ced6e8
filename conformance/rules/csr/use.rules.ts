import { defineRule } from '../../rule.ts';
import { replaceIn } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/client.ts';
import { nodeClient } from '../../verbs/signers.ts';
import { nameOf } from '../../verbs/states.ts';
import { validityRule } from '../field-rules.ts';

const spec = (signerName: string) => ({ spec: { signerName } });

/** Milliseconds that requests which have been issued are kept. */
const kept = 3_000_000;

/** Whether a request is for the certificate of this node: its name stands in it as text. */
const wants = ({ request }: Json, node: string): boolean =>
  derOf(Buffer.from(request, 'base64').toString()).includes(`system:node:${node}`);

const derOf = (pem: string): Buffer => Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64');

export default [
  // A request can be meant for a signer of one's own, or ask for a client certificate of the API server.
  validityRule({
    id: 'csr.use.custom-signer',
    kind: 'signingRequests',
    accepted: {
      'a custom signer': spec('example.com/my-signer'),
      'client certificates of the API server': spec('kubernetes.io/kube-apiserver-client'),
    },
  }),

  // Node agents get their client and serving certificates this way.
  defineRule('csr.use.node-agent', {
    needs: ['nodes'],
    sabotage: [
      replaceIn('items.*.status.certificate', { method: 'GET', path: /\/certificatesigningrequests$/, with: '' }),
      replaceIn('items.*.spec.usages', { method: 'GET', path: /\/certificatesigningrequests$/, with: ['server auth'] }),
    ],
    async check({ nodes, signingRequests, waitUntil, patience, skip, expect }) {
      const isYoung = ({ metadata }: Json): boolean => Date.now() - Date.parse(metadata.creationTimestamp) < kept;
      const young: readonly string[] = (await nodes.list()).items.filter(isYoung).map(nameOf);
      if (young.length === 0) skip('requests are kept for an hour, and all nodes are older');
      const isOfNode = ({ spec }: Json): boolean =>
        spec.signerName === nodeClient.signerName && young.some((name) => wants(spec, name));
      // Whoever sets up a cluster may give its first node a certificate by hand.
      if (!(await signingRequests.list()).items.some(isOfNode)) skip('no node that is new was without a certificate');
      const { items } = await waitUntil(
        'a node that is new has the client certificate that it has asked for',
        () => signingRequests.list(),
        (seen) => seen.items.some((request: Json) => isOfNode(request) && Boolean(request.status?.certificate)),
        { limit: patience * 10 },
      );
      expect(items.find(isOfNode)?.spec.usages, 'what it is for').toContain('client auth');
    },
  }),
];
