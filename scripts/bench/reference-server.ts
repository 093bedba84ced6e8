import { startServer } from '../../server/start.ts';
import { tellCpuTime } from './cpu-time.ts';

tellCpuTime();
const { url, adminToken } = await startServer();
process.on('SIGINT', () => process.exit());
process.send?.({ url, token: adminToken, memory: process.memoryUsage().rss });
