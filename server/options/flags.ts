import { admissionFlags } from '../admission/flags.ts';
import { authnFlags } from '../authn/flags.ts';
import { authzFlags } from '../authz/options.ts';
import type { Flag } from '../base/flag.ts';
import { engineFlags } from '../engine/flags.ts';
import { auditFlags } from '../request/audit/options.ts';
import { flowControlFlags } from '../request/flow-control/options.ts';
import { ownFolder } from './own-folder.ts';

/** Flags of the server as a whole; those of its parts stand with the parts. */
const ownFlags: readonly Flag[] = [
  { name: 'bind-address', type: 'string', default: '127.0.0.1', help: 'Address to listen on.' },
  {
    name: 'advertise-address',
    type: 'string',
    default: '',
    help: "IP address that the Service kubernetes leads to; without it, --bind-address or, where that is this machine alone, the machine's.",
  },
  {
    name: 'goaway-chance',
    type: 'number',
    default: '0',
    help: 'How likely it is that a request over HTTP/2 is the last new one of its connection, so that clients spread over several servers anew; 0 to 0.02.',
  },
  {
    name: 'tls-min-version',
    type: 'string',
    default: 'VersionTLS12',
    help: 'The oldest version of TLS that is spoken.',
    oneOf: ['VersionTLS12', 'VersionTLS13'],
  },
  { name: 'secure-port', type: 'int', default: '6443', help: 'Port to serve HTTPS on; 0 takes a free one.' },
  {
    name: 'cert-dir',
    type: 'string',
    default: ownFolder(),
    help: 'Folder that keeps the generated certificate and the kubeconfig.',
  },
  {
    name: 'tls-cert-file',
    type: 'string',
    default: '',
    help: 'Certificate (with its chain) to serve; PEM; read again when it changes.',
  },
  { name: 'tls-private-key-file', type: 'string', default: '', help: 'Key of --tls-cert-file; PEM.' },
  {
    name: 'tls-sni-cert-key',
    type: 'strings',
    whole: true,
    default: '',
    help: 'certificate,key or certificate,key:name,*.domain: files (PEM) of what is shown to clients that ask for such a name; names: by default those of the certificate. Read again when they change; may be repeated.',
  },
  {
    name: 'write-kubeconfig',
    type: 'string',
    default: '',
    help: 'Where to write the kubeconfig; without it, into --cert-dir. Of a file that is there, only such a kubeconfig or an empty one is replaced.',
  },
  {
    name: 'snapshot',
    type: 'string',
    default: '',
    help: 'File with the objects to begin with, as touchstone snapshot save writes it.',
  },
  {
    name: 'kube-context',
    type: 'string',
    default: '',
    help: 'Name of a context to add to your own kubeconfig (KUBECONFIG, or ~/.kube/config); it goes when the server ends.',
  },
  {
    name: 'etcd-compaction-interval',
    type: 'duration',
    default: '5m0s',
    help: 'How long the history of changes is held at least; 0 keeps it for ever.',
  },
  {
    name: 'etcd-healthcheck-timeout',
    type: 'duration',
    default: '2s',
    help: 'How long /healthz and /livez wait for what keeps the objects.',
  },
  {
    name: 'etcd-readycheck-timeout',
    type: 'duration',
    default: '2s',
    help: 'How long /readyz waits for what keeps the objects.',
  },
  {
    name: 'watch-cache-sizes',
    type: 'strings',
    default: '',
    help: 'Sizes of watch caches, resource[.group]#size. Checked, without effect: every read here is from the store.',
  },
  {
    name: 'shutdown-delay-duration',
    type: 'duration',
    default: '0s',
    help: 'How long the server goes on serving, not ready, after it was told to stop.',
  },
  {
    name: 'livez-grace-period',
    type: 'duration',
    default: '0s',
    help: 'How long after the start /livez takes the server for alive although it is not ready.',
  },
  { name: 'event-ttl', type: 'duration', default: '1h0m0s', help: 'How long Events are kept.' },
  {
    name: 'service-cluster-ip-range',
    type: 'string',
    default: '10.0.0.0/24',
    help: 'Range of cluster addresses of Services; two of different families, joined by a comma, for dual stack.',
  },
  {
    name: 'service-node-port-range',
    type: 'string',
    default: '30000-32767',
    help: 'Range of node ports of Services, first and last included.',
  },
  { name: 'allow-privileged', type: 'boolean', default: 'true', help: 'Whether privileged containers are accepted.' },
  {
    name: 'feature-gates',
    type: 'strings',
    default: '',
    help: 'Features to turn on or off: Name=true or Name=false, joined by commas.',
  },
  {
    name: 'runtime-config',
    type: 'strings',
    default: '',
    help: 'API versions and resources to turn on or off: group/version[/resource]=true or =false, api/all, api/beta, api/alpha.',
  },
  {
    name: 'controllers',
    type: 'strings',
    default: '',
    help: "Reference controllers to run beside the server: '*' for all that run by default, a name, -name for all but that one.",
  },
  {
    name: 'node-certificates-dir',
    type: 'string',
    default: '',
    help: 'Folder where the node among them keeps the certificates it asks for by CSR, for which it takes --authorization-mode=Node,RBAC; without it it asks for none.',
  },
  {
    name: 'ingress-address',
    type: 'string',
    default: '127.0.0.1',
    help: 'Address at which the ingress controller listens.',
  },
  { name: 'ingress-http-port', type: 'int', default: '8080', help: 'Its port for HTTP; 0 for any free one.' },
  { name: 'ingress-https-port', type: 'int', default: '8443', help: 'Its port for TLS; 0 for any free one.' },
  {
    name: 'node-names',
    type: 'strings',
    default: 'touchstone-node',
    help: 'Nodes beside the server, by their names.',
  },
  {
    name: 'node-runtime',
    type: 'string',
    default: 'pretended',
    help: 'Of the nodes beside the server. pretended: pods only seem to run. process: they run as processes of this machine, as you.',
    oneOf: ['pretended', 'process'],
  },
  {
    name: 'image',
    type: 'strings',
    default: '',
    help: 'For --node-runtime=process: what an image means, as name=command.',
  },
  {
    name: 'node-host-paths',
    type: 'strings',
    default: '',
    help: 'For --node-runtime=process: folders below which pods may use any as hostPath; none without it.',
  },
  {
    name: 'volumes-dir',
    type: 'string',
    default: '',
    help: 'Folder in which the controller directory-provisioner makes volumes for claims.',
  },
  {
    name: 'faults',
    type: 'boolean',
    default: 'false',
    help: 'Let administrators make requests and watches fail, at /touchstone/faults, and move time, at /touchstone/clock: for the tests of clients.',
  },
  {
    name: 'ui',
    type: 'boolean',
    default: 'false',
    help: 'Serve a page that shows objects, events, requests and watches live, and faults to click, at /touchstone/ui/; on loopback addresses alone.',
  },
  {
    name: 'cluster-signing-cert-file',
    type: 'string',
    default: '',
    help: 'Certificate that the controllers sign with; PEM; read again when it changes.',
  },
  { name: 'cluster-signing-key-file', type: 'string', default: '', help: 'Key of --cluster-signing-cert-file; PEM.' },
  {
    name: 'cluster-signing-duration',
    type: 'duration',
    default: '8760h0m0s',
    help: 'The longest lifetime of certificates that the controllers sign.',
  },
  {
    name: 'kubelet-client-certificate',
    type: 'string',
    default: '',
    help: 'Certificate that the server shows to agents of nodes; PEM. Nodes beside the server need none.',
  },
  { name: 'kubelet-client-key', type: 'string', default: '', help: 'Key of --kubelet-client-certificate; PEM.' },
  {
    name: 'kubelet-certificate-authority',
    type: 'string',
    default: '',
    help: 'Authority that agents of nodes are verified with; PEM. Without it they are not, and none is asked on loopback.',
  },
  {
    name: 'proxy-client-cert-file',
    type: 'string',
    default: '',
    help: 'Certificate that the server shows to those that serve groups behind it (APIServices); PEM. With controllers it has one of its own.',
  },
  { name: 'proxy-client-key-file', type: 'string', default: '', help: 'Key of --proxy-client-cert-file; PEM.' },
  {
    name: 'kubelet-preferred-address-types',
    type: 'strings',
    default: 'Hostname,InternalDNS,InternalIP,ExternalDNS,ExternalIP',
    help: 'Types of addresses of nodes; the first that a node has is asked.',
  },
  {
    name: 'v',
    type: 'int',
    default: '0',
    help: 'Log level (-v too); 4 and above log why credentials were refused, and where errors came from.',
  },
  {
    name: 'logging-format',
    type: 'string',
    default: 'text',
    help: 'How to log: text, or json with an object a line.',
    oneOf: ['text', 'json'],
  },
  {
    name: 'output',
    type: 'string',
    default: 'text',
    help: 'What to say of the server on standard output: text, or json for programs.',
    oneOf: ['text', 'json'],
  },
];

/** All flags of `touchstone serve`. */
export const serverFlags: readonly Flag[] = [
  ...ownFlags,
  ...engineFlags,
  ...authnFlags,
  ...authzFlags,
  ...admissionFlags,
  ...auditFlags,
  ...flowControlFlags,
];
