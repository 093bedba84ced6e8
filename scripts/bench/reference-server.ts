import { startServer } from '../../server/start.ts';

const { url, adminToken } = await startServer();
process.on('SIGINT', () => process.exit());
process.send?.({ url, token: adminToken, memory: process.memoryUsage().rss });
