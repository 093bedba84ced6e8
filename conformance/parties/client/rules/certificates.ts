import { X509Certificate } from 'node:crypto';
import { base64 } from '../../../../fixtures/certificates.ts';
import { documented } from '../../party.ts';
import { json } from '../answers.ts';
import type { ClientContext } from '../context.ts';

const requestsPath = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

interface SigningRequest {
  readonly metadata?: { readonly name?: string };
  readonly spec?: { readonly usages?: readonly string[]; readonly expirationSeconds?: number };
}

interface Certified {
  readonly request: SigningRequest;
  /** PEM of the certificate that was issued. */
  readonly issued: string;
  /** How long the client says that it lasts. */
  readonly seconds: number;
}

/** Issues the client a certificate, after a while, that lasts otherwise than it asked for, and waits for its end. */
async function certified({ certificate, whim, start, expect }: ClientContext): Promise<Certified> {
  // Not the time that anybody would ask for.
  const { certificate: issued } = await certificate('applicant', { untilDay: 3 });
  let request: SigningRequest = {};
  let looks = 0;
  const conditions = [{ type: 'Approved', status: 'True', reason: 'Judged', message: '' }];
  whim(({ method, path, body }) => {
    if (method === 'POST' && path === requestsPath) {
      request = JSON.parse(body);
      return json(request, 201);
    }
    if (method !== 'GET' || !path.startsWith(requestsPath)) return undefined;
    looks += 1;
    return json({ ...request, status: looks > 2 ? { conditions, certificate: base64(issued) } : {} });
  });
  const client = start('certificate');
  expect(await client.ends(), `exit code of the client, which wrote: ${client.output().slice(-300)}`).toBe(0);
  const seconds = Number((client.printed().at(-1) as { seconds?: unknown } | undefined)?.seconds);
  return { request, issued, seconds };
}

export default [
  // How long it lasts is for the client to read in the certificate.
  documented<ClientContext>('csr.spec.expiration-seconds.client-compares', {
    fault: ['believes-wish', 'asks-once'],
    async check(context) {
      const { issued, seconds } = await certified(context);
      const { validFrom, validTo } = new X509Certificate(issued);
      const lasts = (Date.parse(validTo) - Date.parse(validFrom)) / 1_000;
      context.expect(seconds, 'seconds that the client takes the certificate to last').toBe(lasts);
    },
  }),
  // Client and serving certificates each have their customary usages.
  documented<ClientContext>('csr.spec.usages.typical', {
    fault: 'asks-for-any',
    async check(context) {
      const { request } = await certified(context);
      const usages = new Set(request.spec?.usages);
      context.expect(usages.has('client auth'), 'client auth is asked for').toBe(true);
      for (const usage of usages)
        context
          .expect(['client auth', 'digital signature', 'key encipherment'], 'the customary usages')
          .toContain(usage);
    },
  }),
];
