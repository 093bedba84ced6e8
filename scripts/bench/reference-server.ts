import type { ServerOptions } from '../../server/options/options.ts';
import { startServer } from '../../server/start.ts';
import { tellUse } from './measured-process.ts';

/** The server that is measured, with its options as JSON. */
tellUse();
const { url, adminToken } = await startServer(JSON.parse(process.argv[2] ?? '{}') as Partial<ServerOptions>);
process.on('SIGINT', () => process.exit());
process.send?.({ url, token: adminToken, memory: process.memoryUsage().rss });
