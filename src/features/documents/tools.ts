import type { ToolGroup } from '../../mcp/tool-table.ts';
import { memoryIngest } from './ingest-tool.ts';

export const listTools = (): readonly ToolGroup[] => [{ family: 'documents', tools: [memoryIngest] }];
