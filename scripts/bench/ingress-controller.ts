import { startControllers } from '../../controllers/index.ts';
import { Client } from '../../controllers/runtime/client.ts';
import { systemClock } from '../../controllers/runtime/clock.ts';
import { connect } from '../../controllers/runtime/connection/connection.ts';
import { endpointSlices, ingresses, services } from '../../controllers/runtime/resources.ts';
import { startServer } from '../../server/start.ts';
import { tellUse } from './measured-process.ts';

/** The ingress controller with a hundred Ingresses, all of which lead to the backend that it is told of. */
tellUse();
const [, , backend = '', http = '', https = ''] = process.argv;
const server = await startServer();
const connection = await connect({ text: server.kubeconfig });
const client = new Client({ connection, clock: systemClock, signal: new AbortController().signal, userAgent: 'bench' });
const namespace = 'default';

await client.create(services, { metadata: { name: 'web', namespace }, spec: { ports: [{ port: 80 }] } }, { namespace });
await client.create(
  endpointSlices,
  {
    metadata: { name: 'web-1', namespace, labels: { 'kubernetes.io/service-name': 'web' } },
    addressType: 'FQDN',
    ports: [{ name: '', port: Number(new URL(backend).port) }],
    endpoints: [{ addresses: ['127.0.0.1'] }],
  },
  { namespace },
);
for (let i = 0; i < 100; i++) {
  const service = { name: 'web', port: { number: 80 } };
  const paths = ['/', '/api', '/static'].map((path) => ({ path, pathType: 'Prefix', backend: { service } }));
  await client.create(
    ingresses,
    { metadata: { name: `web-${i}`, namespace }, spec: { rules: [{ host: `web-${i}.example.com`, http: { paths } }] } },
    { namespace },
  );
}
await startControllers({
  ...{ kubeconfig: server.kubeconfig, controllers: ['ingress'] },
  ...{ ingressHttpPort: Number(http), ingressHttpsPort: Number(https) },
});
process.on('SIGINT', () => process.exit());
process.send?.({ url: `http://127.0.0.1:${http}` });
