<?php
// Markup of the block. This file uses no function of WordPress, so that it can be tested alone.

/** Returns the HTML of a frame. Every attribute comes from an author and is encoded. */
function rigcast_frame(array $attributes, string $page): string
{
    $text = static fn(string $name): string => is_string($attributes[$name] ?? null) ? trim($attributes[$name]) : '';
    $height = (int) (is_numeric($attributes['height'] ?? null) ? $attributes['height'] : 400);
    if ($text('src') === '') {
        return '';
    }
    $query = array_filter(
        ['src' => $text('src'), 'files' => $text('files'), 'animation' => $text('animation'), 'alt' => $text('title')],
        static fn(string $value): bool => $value !== ''
    );
    $url = $page . '?' . http_build_query($query + ['autoplay' => '1', 'controls' => '1'], '', '&', PHP_QUERY_RFC3986);
    return sprintf(
        '<iframe src="%s" title="%s" style="width:100%%;height:%dpx;border:0" loading="lazy" allow="fullscreen"></iframe>',
        htmlspecialchars($url, ENT_QUOTES),
        htmlspecialchars($text('title'), ENT_QUOTES),
        min(max($height, 100), 2000)
    );
}
