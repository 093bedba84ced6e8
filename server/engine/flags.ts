import type { Flag } from '../base/flag.ts';

/** Where objects are kept. */
export const engineFlags: readonly Flag[] = [
  {
    name: 'data-dir',
    type: 'string',
    default: '',
    help: 'Folder that keeps all objects over restarts; without it they live as long as the process.',
  },
  {
    name: 'max-objects',
    type: 'int',
    default: '0',
    help: 'How many objects may be stored: one more is answered with 507. Of servers that share an etcd none knows what others are just making, so there may be as many more. 0: no limit.',
  },
  {
    name: 'etcd-servers',
    type: 'strings',
    default: '',
    help: 'URLs of the members of an etcd that keeps all objects, joined by commas; other servers may share it.',
  },
  { name: 'etcd-cafile', type: 'string', default: '', help: "Authorities that sign etcd's certificates; PEM." },
  { name: 'etcd-certfile', type: 'string', default: '', help: 'Certificate to show to etcd; PEM.' },
  { name: 'etcd-keyfile', type: 'string', default: '', help: 'Key of --etcd-certfile; PEM.' },
  { name: 'etcd-prefix', type: 'string', default: '/registry', help: 'What the keys in etcd begin with.' },
  {
    name: 'storage-media-type',
    type: 'string',
    default: 'application/json',
    help: 'How objects are written to etcd: application/json or application/vnd.kubernetes.protobuf; both are read.',
    oneOf: ['application/json', 'application/vnd.kubernetes.protobuf'],
  },
  {
    name: 'data-sync',
    type: 'string',
    default: 'always',
    help: 'When a write to --data-dir is answered: always, once it is on the disk; interval, once the system has it, which writes it to the disk within a second.',
    oneOf: ['always', 'interval'],
  },
];
