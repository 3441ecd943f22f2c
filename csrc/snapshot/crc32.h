// The checksum of zip files: CRC-32 with the polynomial 0xEDB88320, eight bytes a step.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace opcov {

namespace crc32_detail {

using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1U) != 0 ? crc >> 1U ^ 0xEDB88320U : crc >> 1U;
    tables[0][byte] = crc;
  }
  for (std::size_t table = 1; table < tables.size(); ++table)
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = tables[table - 1][byte];
      tables[table][byte] = before >> 8U ^ tables[0][before & 255U];
    }
  return tables;
}

inline constexpr Tables kTables = make_tables();

}  // namespace crc32_detail

/// Of the bytes behind those that gave `before`; 0 where there are none.
inline std::uint32_t crc32(std::uint32_t before, std::string_view bytes) {
  using crc32_detail::kTables;
  const auto byte = [&bytes](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  std::uint32_t crc = ~before;
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
    crc = kTables[7][(crc ^ byte(0)) & 255U] ^ kTables[6][(crc >> 8U ^ byte(1)) & 255U] ^
          kTables[5][(crc >> 16U ^ byte(2)) & 255U] ^ kTables[4][(crc >> 24U ^ byte(3)) & 255U] ^ kTables[3][byte(4)] ^
          kTables[2][byte(5)] ^ kTables[1][byte(6)] ^ kTables[0][byte(7)];
  }
  for (std::size_t i = 0; i < bytes.size(); ++i) crc = crc >> 8U ^ kTables[0][(crc ^ byte(i)) & 255U];
  return ~crc;
}

}  // namespace opcov
