import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { said } from '../../verbs/said.ts';

const role = 'node-role.kubernetes.io/';
const address = (type: string, at: string): Json => ({ type, address: at });
const ready = (status: string): Json => ({ conditions: [{ type: 'Ready', status }] });
const nodeInfo = {
  ...{ kubeletVersion: 'v1.25.0', osImage: 'Some OS 1', kernelVersion: '5.1', containerRuntimeVersion: 'some://1' },
  ...{
    machineID: '',
    systemUUID: '',
    bootID: '',
    kubeProxyVersion: '',
    operatingSystem: 'linux',
    architecture: 'amd64',
  },
};

/** What a new node says of itself, and what is shown of that. */
const nodes: readonly (readonly [parts: Json, cells: Readonly<Record<string, string>>])[] = [
  [
    {
      metadata: { labels: { [`${role}worker`]: '', 'kubernetes.io/role': 'second' } },
      status: {
        ...ready('True'),
        addresses: [address('Hostname', 'a'), address('InternalIP', '192.0.2.1'), address('ExternalIP', '192.0.2.2')],
        nodeInfo,
      },
    },
    {
      ...{ Status: 'Ready', Roles: 'second,worker', Version: 'v1.25.0' },
      ...{ 'Internal-IP': '192.0.2.1', 'External-IP': '192.0.2.2' },
      ...{ 'OS-Image': 'Some OS 1', 'Kernel-Version': '5.1', 'Container-Runtime': 'some://1' },
    },
  ],
  [
    { spec: { unschedulable: true }, status: ready('False') },
    {
      ...{ Status: 'NotReady,SchedulingDisabled', Roles: '<none>', 'Internal-IP': '<none>', 'External-IP': '<none>' },
      ...{ 'OS-Image': '<unknown>', 'Kernel-Version': '<unknown>', 'Container-Runtime': '<unknown>' },
    },
  ],
  [{ status: ready('Unknown') }, { Status: 'NotReady' }],
  [{}, { Status: 'Unknown' }],
];

/** What users are shown of a node, as a rehearsal of its making tells: nobody is to take it for one. */
export async function showsNodes(context: RuleContext, headers: Readonly<Record<string, string>>): Promise<void> {
  const { nodes: objects, expect } = context;
  for (const [parts, cells] of nodes) {
    const answer = await objects.post(objects.sample(parts), { dryRun: 'All' }, { headers });
    const sent = JSON.stringify(parts);
    expect(answer.status, `${sent}: ${said(answer)}`).toBe(201);
    const columns: readonly string[] = answer.body.columnDefinitions.map((column: Json) => column.name);
    for (const [column, cell] of Object.entries(cells))
      expect(answer.body.rows[0].cells[columns.indexOf(column)], `${column} of ${sent}`).toBe(cell);
  }
}
