/** How mcp-memory-service lists the arguments of tools that core has too, under names of its own. Each tool understands both. */
export const SERVICE_ARGUMENTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['memory_store', ['content', 'conversation_id', 'metadata', 'type', 'tags']],
  [
    'memory_search',
    [
      'query',
      'mode',
      'time_expr',
      'after',
      'before',
      'tags',
      'tag_match',
      'quality_boost',
      'limit',
      'include_debug',
      'max_response_chars',
      'include_superseded',
      'entity',
      'fallback',
    ],
  ],
  ['memory_list', ['page', 'page_size', 'tags', 'tag_match', 'memory_type', 'stale_days']],
  ['memory_update', ['content_hash', 'updates', 'preserve_timestamps', 'versioned']],
  ['memory_delete', ['content_hash', 'tags', 'tag_match', 'before', 'after', 'dry_run']],
]);
