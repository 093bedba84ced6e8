import { X509Certificate } from 'node:crypto';
import type { KeyPair } from '../../../lab/certificates.ts';
import { documented, implied, type PartyRule } from '../../party.ts';
import type { Answered } from '../call.ts';
import { call } from '../call.ts';
import { type IngressContext, tlsData } from '../context.ts';
import { onHost } from '../specs.ts';

const shows =
  ({ certificate: pem }: KeyPair) =>
  ({ certificate }: Answered): boolean =>
    certificate?.equals(new X509Certificate(pem).raw) ?? false;

/** Which certificate a connection gets, and where. */
export const tlsRules: readonly PartyRule<IngressContext>[] = [
  // TLS is spoken on port 443 only.
  documented('ingress.tls.port-443', {
    fault: 'tls-everywhere',
    async check(context) {
      const { candidate, expect, eventually, reaches } = context;
      const { host, pair, backend } = await secured(context);
      await eventually({ host, sni: host }, 'shows its certificate on the port for TLS', shows(pair));
      await reaches({ host, sni: host }, backend);
      const { host: at, port } = candidate.address;
      const answer = await call({ host: at, port }, { host, sni: host }, () => undefined).catch(() => undefined);
      // Who speaks TLS there, but serves no Ingress by it, has but refused in other words.
      expect(answer?.backend, `who answers by TLS on port ${port}, which is for plain HTTP`).toBeUndefined();
    },
  }),
  // SNI tells several hosts apart there.
  documented('ingress.tls.sni', {
    fault: 'one-certificate',
    async check(context) {
      const [one, two] = [await secured(context), await secured(context)];
      for (const { host, pair, backend } of [one, two, one]) {
        await context.eventually({ host, sni: host }, 'shows its own certificate', shows(pair));
        await context.reaches({ host, sni: host }, backend);
      }
    },
  }),
  // Not listed, they are the controller's wildcard.
  documented('ingress.tls.hosts.default', {
    fault: 'tls-needs-hosts',
    async check(context) {
      const { host, pair, backend } = await secured(context, false);
      await context.reaches({ host, sni: host }, backend);
      await context.eventually({ host, sni: host }, 'shows the certificate that names no hosts', shows(pair));
    },
  }),
  // Where SNI and Host differ, SNI chooses the certificate and Host the route.
  documented('ingress.tls.sni-conflict', {
    fault: ['routes-by-sni', 'one-certificate'],
    async check(context) {
      const [one, two] = [await secured(context), await secured(context)];
      for (const { host, pair } of [one, two])
        await context.eventually({ host, sni: host }, 'shows its own certificate', shows(pair));
      for (const [outer, inner] of [
        [one, two],
        [two, one],
      ] as const) {
        const answer = await context.ask({ host: inner.host, sni: outer.host });
        context.expect(shows(outer.pair)(answer), `the certificate for ${outer.host} is shown`).toBe(true);
        context.expect(answer.backend, `the backend for Host ${inner.host}`).toBe(inner.backend.name);
      }
    },
  }),
  implied(
    'ingress.tls.same-namespace',
    {
      statement: 'The Secret of a certificate is in the namespace of the Ingress.',
      from: ['ingress.tls.secret-name', 'ingress.backend.service.same-namespace'],
    },
    {
      fault: 'any-secret',
      async check(context) {
        const { certificateFor, tlsSecret, extraNamespace, ingress, service, eventually, reaches, ask, expect } =
          context;
        const [host, lost, own] = [context.domain(), context.domain(), await context.backend()];
        const [theirs, pair] = [await certificateFor(host, lost), await certificateFor(host)];
        const namespace = await extraNamespace();
        const [name, elsewhere] = [await tlsSecret(theirs, { namespace }), await tlsSecret(theirs, { namespace })];
        await tlsSecret(pair, { name });
        const tls = [
          { hosts: [host], secretName: name },
          { hosts: [lost], secretName: elsewhere },
        ];
        const target = await service([own]);
        await ingress({ tls, rules: [onHost(host, target), onHost(lost, target)] });
        await eventually({ host, sni: host }, 'shows the certificate of its own namespace', shows(pair));
        await reaches({ host, sni: host }, own);
        const answer = await ask({ host: lost, sni: lost }).catch(() => undefined);
        expect(answer && shows(theirs)(answer), 'a certificate of another namespace is shown').not.toBe(true);
      },
    },
  ),
  implied(
    'ingress.tls.renewed',
    {
      statement: 'A certificate that is replaced in its Secret is shown from then on.',
      from: ['ingress.tls.secret-name'],
    },
    {
      fault: 'old-certificates',
      async check(context) {
        const { host, pair, secret, backend } = await secured(context);
        await context.reaches({ host, sni: host }, backend);
        await context.eventually({ host, sni: host }, 'shows its certificate', shows(pair));
        const renewed = await context.certificateFor(host);
        await context.secrets.merge(secret, { data: tlsData(renewed) });
        await context.eventually({ host, sni: host }, 'shows its new certificate', shows(renewed));
      },
    },
  ),
];

/** An Ingress with a certificate for its host, which it names or not. */
async function secured({ domain, certificateFor, tlsSecret, backend, service, ingress }: IngressContext, named = true) {
  const [host, own] = [domain(), await backend()];
  const pair = await certificateFor(host);
  const secret = await tlsSecret(pair);
  const tls = [{ ...(named ? { hosts: [host] } : {}), secretName: secret }];
  await ingress({ tls, rules: [onHost(host, await service([own]))] });
  return { host, pair, secret, backend: own };
}
