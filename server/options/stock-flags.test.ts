import { describe, expect, it } from 'vitest';
import { UsageError } from '../../mistyped.ts';
import { parseFlags } from './command-line.ts';
import { serverFlags } from './flags.ts';
import { takeStockFlags } from './stock-flags.ts';

const keys = `--client-ca-file=ca.crt --kubelet-client-certificate=k.crt --kubelet-client-key=k.key
  --proxy-client-cert-file=p.crt --proxy-client-key-file=p.key --requestheader-allowed-names=front-proxy-client
  --requestheader-client-ca-file=f.crt --requestheader-extra-headers-prefix=X-Remote-Extra-
  --requestheader-group-headers=X-Remote-Group --requestheader-username-headers=X-Remote-User
  --service-account-issuer=https://kubernetes.default.svc --service-account-key-file=sa.pub
  --service-account-signing-key-file=sa.key --service-cluster-ip-range=10.96.0.0/12 --tls-cert-file=s.crt
  --tls-private-key-file=s.key`;

/** What those pass who start stock servers, beside their keys. */
const starters: Readonly<Record<string, string>> = {
  kubeadm: `--advertise-address=192.168.1.5 --allow-privileged=true --authorization-mode=Node,RBAC
    --enable-admission-plugins=NodeRestriction --enable-bootstrap-token-auth=true --etcd-cafile=e.crt
    --etcd-certfile=c.crt --etcd-keyfile=c.key --etcd-servers=https://127.0.0.1:2379
    --kubelet-preferred-address-types=InternalIP,ExternalIP,Hostname --secure-port=6443`,
  'kubeadm, hardened': `--profiling=false --tls-min-version=VersionTLS12 --request-timeout=300s --audit-log-maxage=30
    --tls-cipher-suites=TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256
    --audit-log-mode batch --goaway-chance=0.001 --service-account-lookup=true`,
  kind: '--advertise-address=172.18.0.2 --runtime-config= --authorization-mode=Node,RBAC --secure-port=6443',
  k3s: `--advertise-address=10.0.0.1 --allow-privileged=true --anonymous-auth=false --cert-dir=/tmp/x
    --api-audiences=https://kubernetes.default.svc.cluster.local,k3s --authorization-mode=Node,RBAC
    --bind-address=127.0.0.1 --egress-selector-config-file=/x.yaml --enable-admission-plugins=NodeRestriction
    --enable-aggregator-routing=true --etcd-servers=http://127.0.0.1:2379 --feature-gates=JobTrackingWithFinalizers=true
    --profiling=false --secure-port=6444 --service-node-port-range=30000-32767 --storage-backend=etcd3
    --tls-cipher-suites=TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384`,
  envtest: `--advertise-address=127.0.0.1 --allow-privileged=true --authorization-mode=RBAC --bind-address=127.0.0.1
    --cert-dir=/tmp/x --disable-admission-plugins=ServiceAccount --etcd-servers=http://127.0.0.1:2379 --secure-port=0`,
  'local-up-cluster': `--cloud-provider= --cloud-config= --v=3 --vmodule= --external-hostname=localhost
    --cors-allowed-origins=/127.0.0.1(:[0-9]+)?$,/localhost(:[0-9]+)?$ --storage-media-type=application/vnd.kubernetes.protobuf
    --endpoint-reconciler-type lease --permit-port-sharing`,
};

describe('whoever starts stock servers', () => {
  it.each(Object.entries(starters))('starts this one: %s', (_, text) => {
    const { args } = takeStockFlags([...keys.split(/\s+/), ...text.split(/\s+/)]);
    expect(parseFlags(serverFlags, args).get('service-cluster-ip-range')).toBe('10.96.0.0/12');
  });

  it('hears of what changes nothing, once', () => {
    expect(takeStockFlags('--profiling --audit-log-mode batch --v 4 --profiling=false'.split(' '))).toEqual({
      args: ['--v', '4'],
      passedOver: ['profiling', 'audit-log-mode'],
    });
  });

  it.each([
    ['--encryption-provider-config=x', 'nothing is encrypted at rest'],
    ['--etcd-servers-overrides=/events#http://e', 'all kinds are kept in the etcd of --etcd-servers'],
    ['--audit-webhook-mode=batch', 'go to --audit-log-path alone'],
    ['--authorization-policy-file=x', 'no mode ABAC'],
    ['--admission-control=x', 'it is of old'],
  ])('is told why %s is not served', (arg, reason) => {
    expect(() => takeStockFlags([arg])).toThrow(UsageError);
    expect(() => takeStockFlags([arg])).toThrow(reason);
  });

  it('passes over nothing that this server has', () => {
    for (const { name } of serverFlags) expect(takeStockFlags([`--${name}=x`]).passedOver).toEqual([]);
  });
});
